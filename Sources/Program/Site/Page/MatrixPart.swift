import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// Which pattern leaks under which ending: a table for each document.
struct MatrixPart {
  /// Where a scenario is told of.
  var address: (_ scenario: String) -> String = { "#\($0)" }
  /// Where one of its endings is told of.
  var endingAddress: (_ ending: String, _ scenario: String) -> String = { "#\($1)/\($0)" }

  /// How its own words are said.
  var said: (String) -> Markup = { Markup(text: $0) }

  /// The tables, one for each document.
  func markup(for documents: [[HTMLPage.Subject]]) -> Markup {
    Markup.part("section", "matrix", class: "matrix", title: "-title", stops: true) {
      Markup("h2", ["id": "matrix-title"]) { said("Patterns and endings") }
      Markup(file: "legend", said: said)
      for (place, document) in documents.enumerated() {
        let anchor = "matrix/\(place + 1)"
        Markup("div", ["class": "panel"]) {
          Markup("h3", ["id": anchor]) { document[0].scenario.document.title }
          table(of: document, titled: anchor)
        }
      }
    }
  }

  private func table(of document: [HTMLPage.Subject], titled anchor: String) -> Markup {
    let endings = document.flatMap { $0.trials.map(\.ending.name) }.uniqued()
    return Markup.scrolling("Matrix: \(document[0].scenario.document.title)") {
      Markup("table", ["aria-labelledby": anchor]) {
        Markup.head {
          Markup("th", ["scope": "col"]) { said("pattern") }
          for ending in endings { Markup("th", ["scope": "col"]) { ending } }
        }
        Markup("tbody") { for subject in document { row(of: subject, endings) } }
      }
    }
  }

  private func row(of subject: HTMLPage.Subject, _ endings: [String]) -> Markup {
    let id = subject.scenario.id
    return Markup("tr") {
      Markup("th", ["scope": "row"]) {
        Markup("a", ["href": address(id)]) { id }
        Markup("small") { subject.scenario.title }
      }
      for ending in endings {
        let trial = subject.report.trials.first { $0.ending == ending }
        if let trial { cell(of: trial, in: id) } else { Self.noCell }
      }
    }
  }

  private func cell(of trial: TrialReport, in id: String) -> Markup {
    let style = "verdict \(trial.verdict.rawValue)"
    return Markup("td") {
      Markup("a", ["href": endingAddress(trial.ending, id), "class": style]) {
        Markup.silent(VerdictMark.sign(of: trial.verdict) + " ")
        trial.verdict.rawValue
        Markup("small") { Self.figures(of: trial) }
        if !trial.asExpected { Markup("strong") { "not as declared" } }
      }
    }
  }

  private static let noCell = Markup("td", ["class": "none"]) {
    Markup.silent("–")
    Markup.spoken("no such ending")
  }

  private static func figures(of trial: TrialReport) -> String? {
    guard trial.verdict == .leak else { return nil }
    return trial.left.map { counted($0.count, $0.what).unbroken }.joined(separator: ", ")
  }
}

extension String {
  /// The text without a place to break it at.
  fileprivate var unbroken: String { String(map { $0 == " " ? "\u{A0}" : $0 }) }
}
