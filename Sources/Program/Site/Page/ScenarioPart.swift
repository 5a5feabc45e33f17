import MemlabKit
import MemlabReports
import MemlabWalk

/// The section on a scenario: what to ask, the code, each ending, and where to go on.
struct ScenarioPart {
  /// What it is about.
  let subject: HTMLPage.Subject
  /// All that the page is about, to be linked to.
  let others: [HTMLPage.Subject]
  /// The scenarios that the page only names, by their ids.
  let leftOut: [String]
  /// The program that writes the page.
  let app: PageApp
  /// What the page says about all of it.
  let pageRemark: String?

  private var scenario: Scenario { subject.scenario }

  /// The part in HTML.
  var markup: Markup {
    let anchor = scenario.id
    return Markup.part("section", anchor, class: "scenario", title: "/title", stops: true) {
      Markup("h3", ["id": "\(anchor)/title"]) {
        Markup("code") { scenario.id }
        Markup.spoken(": ")
        Markup("span", ["class": "phrase"]) { scenario.title }
      }
      let lesson = scenario.lessonPath ?? ""
      if !(scenario.place + lesson).isEmpty {
        Markup("p", ["class": "meta"]) {
          scenario.place + (scenario.place.isEmpty || lesson.isEmpty ? "" : " · ")
          Markup.link(lesson, to: lesson)
        }
      }
      // What the page begins with need not be said again.
      Markup.note(subject.report.remark == pageRemark ? nil : subject.report.remark)
      question
      code
      for (ending, trial) in subject.trials { EndingPart(ending, trial, of: scenario.id).markup }
      onwards
    }
  }

  private var question: Markup {
    Markup("details", ["class": "question"]) {
      Markup("summary") { scenario.question }
      let own = scenario.endings.compactMap { ending in
        ending.question.map { ("Ending \(ending.name)", $0) }
      }
      for (title, text) in own + (scenario.hint.isEmpty ? [] : [("Hint", scenario.hint)]) {
        Markup("p") {
          Markup("strong") { title }
          " \(text)"
        }
      }
    }
  }

  /// The code under study, or how to have it in the page.
  private var code: Markup {
    guard let code = subject.code else {
      let advice =
        app.hasCourse
        ? "run `memlab report` in a checkout of memlab to have it in the page."
        : "mark it in its source file with `// snippet:code` and `// snippet:end`."
      let sentence = "The code under study is not at hand here: \(advice)"
      return Markup.missing(InlineMarkup().markup(of: sentence[...]))
    }
    return Markup("figure", ["class": "code"]) {
      Markup("figcaption") { "The code under study" }
      Markup.scrolling("Code of \(scenario.id)") {
        Markup("pre") { Markup("code") { SwiftCode.markup(of: code) } }
      }
    }
  }

  private var onwards: Markup {
    Markup("p", ["class": "onwards"]) {
      if let next = scenario.next {
        Markup("span") {
          scenario.next == scenario.fixedBy ? "next, and the fix: " : "next: "
          reference(to: next)
        }
      }
      if let fix = scenario.fixedBy, fix != scenario.next {
        Markup("span") {
          "the fix: "
          reference(to: fix)
        }
      }
      Markup.link(to: "matrix") { "back to the matrix" }
    }
  }

  /// A link to the scenario, or to what the page says of those that it leaves out.
  private func reference(to id: String) -> Markup {
    if others.contains(where: { $0.scenario.id == id }) { return Markup.link(to: id) { id } }
    let command = Markup("code") { "\(app.name) \(id)" }
    return leftOut.contains(id) ? Markup.link(to: "left-out/\(id)") { command } : command
  }
}

extension SwiftCode {
  /// Code for a page, with its comments, texts, keywords and types marked.
  static func markup(of code: String) -> Markup {
    Markup(
      pieces(of: code).map { piece in
        piece.kind.map { Markup("span", ["class": $0.rawValue]) { String(piece.text) } }
          ?? Markup(text: String(piece.text))
      })
  }
}
