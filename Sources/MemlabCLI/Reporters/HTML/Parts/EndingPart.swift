import MemlabKit

/// The section on an ending: how it came out, what was done, what is left, and why.
struct EndingPart {
  private let ending: Ending
  private let trial: TrialReport
  private let anchor: String

  init(_ ending: Ending, _ trial: TrialReport, of scenario: String) {
    self.ending = ending
    self.trial = trial
    anchor = Anchors.ending(ending.name, of: scenario)
  }

  var markup: Markup {
    Markup(
      "article",
      [
        "id": anchor, "class": "ending \(trial.verdict.rawValue)",
        "aria-labelledby": "\(anchor)/heading", "tabindex": "-1",
      ]
    ) {
      Markup("h4", ["id": "\(anchor)/heading"]) {
        Markup.spoken("ending ")
        Markup("code") { ending.name }
        Markup.spoken(": ")
        Markup("span", ["class": "phrase"]) { ending.title }
      }
      VerdictMark.line(for: trial)
      DifferenceList.markup(for: trial)
      Markup("div", ["class": "columns"]) {
        Markup("div") { StepsPart.markup(for: trial) }
        Markup("div") { CountsPart.markup(for: trial) }
      }
      explanation
      HoldersPart.markup(for: trial, anchor: anchor)
      ClaimsPart.markup(for: trial)
    }
  }

  private var explanation: Markup {
    Markup("p", ["class": trial.asExpected ? "explanation" : "missing"]) {
      trial.asExpected
        ? ending.explanation
        : "Something else was measured than what the scenario explains, so its explanation is left "
          + "out."
    }
  }
}
