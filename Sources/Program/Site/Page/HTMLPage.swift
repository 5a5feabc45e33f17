package import MemlabKit
import MemlabPageFiles

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
      self.scenario = scenario
      self.report = report
      self.code = code
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
    self.subjects = subjects
    self.app = app
    self.remark = remark
    leftOut = scenarios.filter { scenario in
      !subjects.contains { $0.scenario.id == scenario.id }
    }
  }

  /// Whether everything was measured as declared.
  package var isAsExpected: Bool { subjects.allSatisfy(\.report.asExpected) }

  /// The file; the same measurements always give the same bytes.
  package var text: String {
    let page = Markup("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) {
      head
      Markup("body") { body }
    }
    return "<!DOCTYPE html>\n" + page.source
  }

  private var head: Markup {
    Markup("head") {
      Markup("meta", ["charset": "utf-8"])
      Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      Markup("meta", ["name": "color-scheme", "content": "light dark"])
      Markup("title") { "\(app.name) report: \(PageHeader.count(of: subjects))" }
      Markup("style") { Markup(verbatim: PageFile.reportStyle.text) }
    }
  }

  /// What is shown, without style and script.
  package var content: Markup {
    Markup([
      PageHeader.markup(for: subjects, of: app, remark: remark),
      Markup("main", ["id": "content"]) {
        if !isAsExpected { AlarmPart.markup(for: subjects) }
        MatrixPart.markup(for: documents)
        for document in documents { part(on: document) }
        if !leftOut.isEmpty { LeftOutPart.markup(for: leftOut, of: app) }
      },
      PageFooter.markup(of: app),
    ])
  }

  private var body: Markup {
    Markup([content, Markup("script") { Markup(verbatim: PageFile.reportScript.text) }])
  }

  private var documents: [[Subject]] {
    subjects.reduce(into: [[Subject]]()) { groups, subject in
      let place = groups.firstIndex { $0[0].scenario.document == subject.scenario.document }
      if let place { groups[place].append(subject) } else { groups.append([subject]) }
    }
  }

  private func part(on document: [Subject]) -> Markup {
    Markup("section", ["class": "document"]) {
      let source = document[0].scenario.document
      Markup("h2") { Markup.link(source.title, to: source.file) }
      for subject in document {
        ScenarioPart(
          subject, among: subjects, leavingOut: leftOut.map(\.id), of: app, pageRemark: remark
        ).markup
      }
    }
  }
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

/// What links within the page point to.
enum Anchors {
  /// The matrix.
  static let matrix = "matrix"

  /// A scenario's section.
  static func scenario(_ id: String) -> String { id }

  /// What is said of a scenario that is not in the page.
  static func leftOut(_ id: String) -> String { "left-out/\(id)" }

  /// An ending's section.
  static func ending(_ ending: String, of id: String) -> String { "\(id)/\(ending)" }
}

extension Markup {
  /// A link to a place in the page.
  package static func link(
    to anchor: String, class style: String? = nil, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    Markup("a", ["href": "#\(anchor)", "class": style], content: content)
  }

  /// A link to a web address; for any other address, such as a path, the text alone.
  package static func link(_ text: String, to address: String) -> Markup {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
      return Markup(text: text)
    }
    return Markup("a", ["href": address]) { text }
  }

  /// Text for screen readers alone.
  static func spoken(_ text: String) -> Markup {
    Markup("span", ["class": "spoken"]) { text }
  }

  /// Text that screen readers skip.
  package static func silent(_ text: String) -> Markup {
    Markup("span", ["aria-hidden": "true"]) { text }
  }

  /// A box that scrolls sideways when its content is too wide for the page.
  static func scrolling(_ label: String, @MarkupBuilder content: () -> Markup) -> Markup {
    Markup("div", ["class": "scroll", "role": "group", "aria-label": label], content: content)
  }
}

/// What was measured otherwise than declared, before anything else.
enum AlarmPart {
  /// The part in HTML.
  static func markup(for subjects: [HTMLPage.Subject]) -> Markup {
    Markup("section", ["class": "alarm", "aria-labelledby": "alarm-title"]) {
      Markup("h2", ["id": "alarm-title"]) { "Measured otherwise than declared" }
      Markup("ul") {
        for subject in subjects {
          for trial in subject.report.trials where !trial.asExpected {
            let id = subject.scenario.id
            Markup("li") {
              Markup.link(to: Anchors.ending(trial.ending, of: id)) {
                "\(id), ending \(trial.ending)"
              }
              DifferenceList.markup(for: trial)
            }
          }
        }
      }
    }
  }
}
