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
    let page = Markup("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) {
      head
      Markup("body") { body }
    }
    return "<!DOCTYPE html>\n" + page.source
  }

  private var head: Markup {
    Markup("head") {
      Markup.metadata
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
        MatrixPart().markup(for: subjects.byDocument)
        for document in subjects.byDocument { part(on: document) }
        if !leftOut.isEmpty { LeftOutPart.markup(for: leftOut, of: app) }
      },
      PageFooter.markup(of: app),
    ])
  }

  private var body: Markup {
    Markup([content, Markup("script") { Markup(verbatim: PageFile.reportScript.text) }])
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

extension [HTMLPage.Subject] {
  /// Those whose scenarios come from one document, together.
  var byDocument: [[HTMLPage.Subject]] {
    reduce(into: []) { groups, subject in
      let place = groups.firstIndex { $0[0].scenario.document == subject.scenario.document }
      if let place { groups[place].append(subject) } else { groups.append([subject]) }
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
  /// An element that its heading names.
  ///
  /// - Parameters:
  ///   - anchor: the id of the element, from which that of its heading is made.
  ///   - title: what the heading's id ends with.
  ///   - order: whether the class or the id is written first.
  ///   - stops: whether the keys that go from section to section stop here.
  static func part(
    _ name: String, _ anchor: String, class style: String, title: String = "/heading",
    order: PartOrder = .classFirst, stops: Bool = false, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    let (heading, stop): (String, String?) = (anchor + title, stops ? "" : nil)
    return order == .idFirst
      ? Markup(
        name,
        [
          "id": anchor, "class": style, "aria-labelledby": heading, "tabindex": "-1",
          "data-stop": stop,
        ],
        content: content)
      : Markup(
        name, ["class": style, "id": anchor, "aria-labelledby": heading, "tabindex": "-1"],
        content: content)
  }

  /// Which of two attributes is written first.
  enum PartOrder {
    /// The class, as the site has it.
    case classFirst
    /// The id, as the report has it.
    case idFirst
  }

  /// What every page says of itself to browsers.
  static let metadata = Markup([
    Markup("meta", ["charset": "utf-8"]),
    Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
    Markup("meta", ["name": "color-scheme", "content": "light dark"]),
  ])

  /// A sentence in place of what is not there.
  static func missing(_ sentence: String) -> Markup { missing(Markup(text: sentence)) }

  /// A sentence in place of what is not there.
  static func missing(_ sentence: Markup) -> Markup {
    Markup("p", ["class": "missing"]) { sentence }
  }
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
  static func spoken(_ text: String) -> Markup { Markup("span", ["class": "spoken"]) { text } }

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

/// What the page begins with: what it is, how all of it came out, how to look at it.
enum PageHeader {
  /// The part in HTML.
  static func markup(for subjects: [HTMLPage.Subject], of app: PageApp, remark: String?) -> Markup {
    Markup([
      Markup.link(to: "content", class: "skip") { "Skip to the content" },
      Markup("header", ["class": "page"]) {
        controls
        Markup("p", ["class": "brand"]) { "\(app.name) report" }
        Markup("h1") { "What Swift keeps alive, and why" }
        Markup("p", ["class": "lead"]) { count(of: subjects) }
        Markup("p", ["class": "about"]) {
          app.hasCourse
            ? "Each pattern comes from a published document and is ended in every way that matters. "
            : "Each pattern is ended in every way that matters. "
          "memlab counts births and deinits, and reads from the real heap who holds what is left. "
          "A leak that is shown on purpose is as declared. In the pictures, a rounded box needs "
          "nobody to hold it, a dashed one is a closure or a buffer on the way, and a thick one is "
          "what should be gone."
        }
        if let remark { Markup("p", ["class": "notice"]) { "Note: \(remark)." } }
      },
    ])
  }

  /// How many endings were run and how they came out.
  static func count(of subjects: [HTMLPage.Subject]) -> String {
    let trials = subjects.flatMap(\.report.trials)
    let differing = trials.count { !$0.asExpected }
    return "\(counted(subjects.count, "scenario")), \(counted(trials.count, "ending")): "
      + "\(trials.count - differing) as declared, \(differing) not"
  }

  private static var controls: Markup {
    Markup("div", ["class": "controls"]) {
      Markup("fieldset") {
        Markup("legend", ["class": "spoken"]) { "Colours" }
        for (value, name) in [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")] {
          let checked = value == "auto" ? "checked" : nil
          let id = "theme-\(value)"
          Markup(
            "input",
            ["type": "radio", "name": "theme", "id": id, "value": value, "checked": checked])
          Markup("label", ["for": id]) { name }
        }
      }
      Markup("button", ["type": "button", "id": "show-keys", "hidden": "hidden"]) {
        "Keys "
        Markup("kbd") { "?" }
      }
    }
  }
}

/// What the page ends with: where it came from, and the keys.
enum PageFooter {
  /// The footer.
  static func markup(of app: PageApp) -> Markup {
    Markup([
      Markup("footer", ["class": "page"]) {
        Markup("p") {
          "Written by "
          Markup("code") { "\(app.name) report --html" }
          ". Equal measurements give equal bytes; nothing here was loaded from anywhere."
        }
      },
      Markup("dialog", ["id": "keys", "aria-labelledby": "keys-title"]) {
        Markup("h2", ["id": "keys-title"]) { "Keys" }
        Markup("dl") {
          for (keys, meaning) in keys {
            Markup("div") {
              Markup("dt") { for key in keys { Markup("kbd") { key } } }
              Markup("dd") { meaning }
            }
          }
        }
        Markup("form", ["method": "dialog"]) { Markup("button") { "Close" } }
      },
    ])
  }

  private static let keys = [
    (["j", "→"], "the next section"), (["k", "←"], "the section before"),
    (["n"], "the next ending"), (["p"], "the ending before"), (["m"], "the matrix"),
    (["t"], "other colours"), (["?"], "this help"), (["Esc"], "closes it"),
  ]
}

/// The scenarios that a page leaves out, and how to see them.
enum LeftOutPart {
  /// The section.
  static func markup(for scenarios: [Scenario], of app: PageApp) -> Markup {
    Markup("section", ["id": "left-out", "class": "left-out", "aria-labelledby": "left-out/title"])
    {
      Markup("h2", ["id": "left-out/title"]) { "Not in this page" }
      Markup("p") {
        "Each of these commands prints a report. "
        Markup("code") { "\(app.name) report --html all.html" }
        " writes a page with all scenarios."
      }
      Markup("ul") {
        for scenario in scenarios {
          Markup("li", ["id": Anchors.leftOut(scenario.id), "tabindex": "-1"]) {
            Markup("code") { "\(app.name) \(scenario.id)" }
            " \(scenario.title)"
          }
        }
      }
    }
  }
}
