import MemlabKit
import TerminalText

/// All endings of a run at a glance: on most screens only the last is still visible.
enum EndingTable {
  /// A table with a blank line before it; nothing when there is only one ending.
  static func lines(of scenario: Scenario, _ report: Report, width: Int) -> [StyledText] {
    guard report.trials.count > 1 else { return [] }
    var table = Table(columns: [.text(), .text(), .text(gutter: 3), .text(gutter: 3)])
    table.add(["ending", "verdict", "what is left", ""], style: .dim)
    for trial in report.trials {
      table.add([
        StyledText(trial.ending, .emphasis), VerdictLines.verdict(trial.verdict),
        StyledText(VerdictLines.remainder(of: trial)),
        trial.asExpected ? "as expected" : StyledText("NOT as expected", .emphasis),
      ])
    }
    return ["", "  all endings of " + StyledText(scenario.id, .heading)] + table.lines(indent: 4)
  }
}
