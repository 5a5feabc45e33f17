import MemlabKit
import MemlabReports

/// The verdict on an ending, and why it is so.
struct ResultPart {
  private let walk: Walk
  private let translator: Translator

  /// The result of an ending.
  init(_ walk: Walk, _ translator: Translator) { (self.walk, self.translator) = (walk, translator) }

  /// The verdict, the explanation and who holds what is left.
  var markup: Markup {
    let anchor = "\(walk.ending.name)/result"
    let trial = walk.film.report
    return Markup(
      "section",
      [
        "class": "step result \(trial.verdict.rawValue)", "id": anchor,
        "aria-labelledby": "\(anchor)/heading", "tabindex": "-1",
      ]
    ) {
      Markup("h4", ["id": "\(anchor)/heading"]) { translator("The result") }
      Markup("div", ["class": "predicted", "role": "status"])
      VerdictMark.line(for: trial, said: translator.said)
      DifferenceList.markup(for: trial)
      Markup("p", ["class": trial.asExpected ? "explanation" : "missing"]) {
        trial.asExpected
          ? translator.said(walk.ending.explanation)
          : Markup(
            text: "Something else was measured than what the scenario explains, so its explanation "
              + "is left out.")
      }
      FiguresPart.markup(for: trial)
      HoldersPart.markup(for: trial, anchor: anchor)
      AnswersPart(walk, translator).markup
      ClaimsPart.markup(for: trial)
    }
  }
}

/// A scenario's own figures, where it has any.
enum FiguresPart {
  /// The figures of a trial; nil where it has none.
  static func markup(for trial: TrialReport) -> Markup? {
    guard !trial.metrics.isEmpty else { return nil }
    return Markup("ul", ["class": "figures"]) {
      for (metric, value) in trial.metrics.sorted(by: { $0.key < $1.key }) {
        Markup("li") {
          Markup("code") { metric.rawValue }
          " \(value)"
        }
      }
    }
  }
}
