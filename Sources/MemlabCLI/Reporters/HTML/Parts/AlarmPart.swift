import MemlabKit

/// What was measured otherwise than declared, before anything else.
enum AlarmPart {
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
