import MemlabKit

/// The steps of a trial in time, with what was born and what was released in each.
enum StepsPart {
  static func markup(for trial: TrialReport) -> Markup {
    Markup([
      Markup("h5") { "What is done" },
      Markup("ol", ["class": "steps"]) {
        for step in trial.steps {
          Markup("li") {
            Markup("span", ["class": "step"]) { step.text }
            Markup("ul") {
              for change in step.changes { Markup("li", ["class": style(of: change)]) { change } }
            }
          }
        }
      },
    ])
  }

  private static func style(of change: String) -> String {
    if change.hasPrefix("+ ") { return "born" }
    if change.hasPrefix("- ") { return "released" }
    return change.hasPrefix("nothing ") ? "nothing" : "note"
  }
}
