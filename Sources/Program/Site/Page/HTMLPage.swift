package import MemlabKit
import MemlabPageFiles
import MemlabTerminalText

/// One page about any number of scenarios, complete in one file. It needs no network, fonts or
/// pictures, and everything can be read without its script.
package struct HTMLPage: Sendable {
  /// A scenario and what its endings have measured.
  package struct Subject: Sendable {
    /// What was run.
    let scenario: Scenario
    /// What was measured.
    let report: Report
    /// The source of the code that is shown; nil where there is none.
    let code: String?

    /// A scenario to write about.
    ///
    /// - Parameters:
    ///   - scenario: the scenario.
    ///   - report: what its endings have measured.
    ///   - code: its code under study; nil if this build does not have it.
    package init(scenario: Scenario, report: Report, code: String?) {
      (self.scenario, self.report, self.code) = (scenario, report, code)
    }

    /// The trials with the endings that they ran.
    var trials: [(ending: Ending, trial: TrialReport)] {
      report.trials.compactMap { trial in
        scenario.endings.first { $0.name == trial.ending }.map { ($0, trial) }
      }
    }
  }

  private let subjects: [Subject]
  private let app: PageApp
  private let remark: String?
  private let leftOut: [Scenario]

  /// A page.
  ///
  /// - Parameters:
  ///   - subjects: what it is about, in order.
  ///   - app: the program that writes it.
  ///   - scenarios: all that the program has; the page names those that it is not about.
  ///   - remark: what should be known about all of it, as a sentence.
  package init(
    _ subjects: [Subject], of app: PageApp = PageApp(name: "memlab", hasCourse: true),
    among scenarios: [Scenario] = [], remark: String? = nil
  ) {
    (self.subjects, self.app, self.remark) = (subjects, app, remark)
    leftOut = scenarios.filter { scenario in !subjects.contains { $0.scenario.id == scenario.id } }
  }

  /// Whether everything was measured as declared.
  package var isAsExpected: Bool { subjects.allSatisfy(\.report.asExpected) }

  /// The file; the same measurements always give the same bytes.
  package var text: String {
    let pieces = [
      "style": Markup(verbatim: PageFile.text(of: "report.css")), "content": content,
      "script": Markup(verbatim: PageFile.text(of: "report.js")),
    ]
    return Markup(file: "report", ["name": app.name, "count": count], pieces).source
  }

  /// What is shown, without style and script.
  package var content: Markup {
    let source = app.hasCourse ? "comes from a published document and " : ""
    return Markup(
      file: "report-content", ["name": app.name, "count": count, "source": source],
      ["remark": Markup.note(remark), "parts": parts])
  }

  /// How many endings were run and how they came out.
  private var count: String {
    let trials = subjects.flatMap(\.report.trials)
    let differing = trials.count { !$0.asExpected }
    return "\(counted(subjects.count, "scenario")), \(counted(trials.count, "ending")): "
      + "\(trials.count - differing) as declared, \(differing) not"
  }

  @MarkupBuilder private var parts: Markup {
    if !isAsExpected { alarm }
    MatrixPart().markup(for: subjects.byDocument)
    for document in subjects.byDocument { part(on: document) }
    if !leftOut.isEmpty { Markup(file: "left-out", ["name": app.name], ["scenarios": commands]) }
  }

  private func part(on document: [Subject]) -> Markup {
    Markup("section", ["class": "document"]) {
      let source = document[0].scenario.document
      Markup("h2") { Markup.link(source.title, to: source.file) }
      for subject in document {
        ScenarioPart(
          subject: subject, others: subjects, leftOut: leftOut.map(\.id), app: app,
          pageRemark: remark
        ).markup
      }
    }
  }

  /// What was measured otherwise than declared, before anything else.
  private var alarm: Markup {
    Markup("section", ["class": "alarm", "aria-labelledby": "alarm-title"]) {
      Markup("h2", ["id": "alarm-title"]) { "Measured otherwise than declared" }
      Markup("ul") {
        for subject in subjects {
          for trial in subject.report.trials where !trial.asExpected {
            let id = subject.scenario.id
            Markup("li") {
              Markup.link(to: "\(id)/\(trial.ending)") { "\(id), ending \(trial.ending)" }
              DifferenceList.markup(for: trial)
            }
          }
        }
      }
    }
  }

  /// The scenarios that the page leaves out, and how to see them.
  @MarkupBuilder private var commands: Markup {
    for scenario in leftOut {
      Markup("li", ["id": "left-out/\(scenario.id)", "tabindex": "-1"]) {
        Markup("code") { "\(app.name) \(scenario.id)" }
        " \(scenario.title)"
      }
    }
  }
}

extension [HTMLPage.Subject] {
  /// Those whose scenarios come from one document, together.
  var byDocument: [[HTMLPage.Subject]] { grouped(by: \.scenario.document) }
}

/// What a page says of the program that writes it.
package struct PageApp: Sendable {
  /// The word that starts it.
  package let name: String
  /// Whether its scenarios belong to a course, and come from published documents.
  package let hasCourse: Bool

  /// A program.
  package init(name: String, hasCourse: Bool) { (self.name, self.hasCourse) = (name, hasCourse) }
}

extension Markup {
  /// An element that its heading names.
  ///
  /// - Parameters:
  ///   - anchor: the id of the element, from which that of its heading is made.
  ///   - title: what the heading's id ends with.
  ///   - stops: whether the keys that go from section to section stop here.
  static func part(
    _ name: String, _ anchor: String, class style: String, title: String = "/heading",
    stops: Bool = false, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    let attributes: KeyValuePairs<String, String?> = [
      "id": anchor, "class": style, "aria-labelledby": anchor + title, "tabindex": "-1",
      "data-stop": stops ? "" : nil,
    ]
    return Markup(name, attributes, content: content)
  }

  /// A sentence in place of what is not there.
  static func missing(_ sentence: String) -> Markup { missing(Markup(text: sentence)) }

  /// A sentence in place of what is not there.
  static func missing(_ sentence: Markup) -> Markup {
    Markup("p", ["class": "missing"]) { sentence }
  }

  /// A remark as a paragraph; nothing where there is none.
  static func note(_ remark: String?) -> Markup {
    guard let remark else { return Markup([]) }
    return Markup("p", ["class": "notice"]) { "Note: \(remark)." }
  }

  /// A link to a place in the page.
  static func link(to anchor: String, @MarkupBuilder content: () -> Markup) -> Markup {
    Markup("a", ["href": "#\(anchor)"], content: content)
  }

  /// A link to a web address; for any other address, such as a path, the text alone.
  package static func link(_ text: String, to address: String) -> Markup {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
      return Markup(text: text)
    }
    return Markup("a", ["href": address]) { text }
  }

  /// Text for screen readers alone.
  static func spoken(_ text: String) -> Markup { Markup("span", ["class": "spoken"]) { text } }

  /// Text that screen readers skip.
  package static func silent(_ text: String) -> Markup {
    Markup("span", ["aria-hidden": "true"]) { text }
  }

  /// A box that scrolls sideways when its content is too wide for the page.
  static func scrolling(_ label: String, @MarkupBuilder content: () -> Markup) -> Markup {
    Markup("div", ["class": "scroll", "role": "group", "aria-label": label], content: content)
  }

  /// The head of a table, of one row.
  static func head(@MarkupBuilder cells: () -> Markup) -> Markup {
    Markup("thead") { Markup("tr", content: cells) }
  }
}
