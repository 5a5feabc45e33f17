import MemlabKit

/// A verdict as a sign, a word and a colour; each says it alone.
enum VerdictMark {
  /// A sign that needs no colour.
  static func sign(of verdict: Verdict) -> String {
    switch verdict {
    case .clean: "○"
    case .leak: "●"
    case .race: "▲"
    case .split: "◆"
    }
  }

  /// The last word on a trial: "● LEAKS, as expected · 2 objects and 1 task stay alive".
  static func line(for trial: TrialReport) -> Markup {
    Markup("p", ["class": "verdict \(trial.verdict.rawValue)"]) {
      Markup.silent(sign(of: trial.verdict) + " ")
      Markup("strong") { VerdictLines.verdict(trial.verdict).plain }
      trial.asExpected ? ", as expected · " : ", NOT as expected · "
      VerdictLines.summary(of: trial)
    }
  }
}

/// Each way in which a trial differs from what its scenario declares.
enum DifferenceList {
  static func markup(for trial: TrialReport) -> Markup? {
    guard !trial.differences.isEmpty else { return nil }
    return Markup("ul", ["class": "differences"]) {
      for difference in trial.differences { Markup("li") { difference } }
    }
  }
}
