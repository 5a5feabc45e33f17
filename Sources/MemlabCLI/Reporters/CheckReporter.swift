import MemlabKit
import Synchronization

/// The output of `memlab check`: a line for each ending, those that differ once more, and a count.
final class CheckReporter: Sendable {
  private struct State {
    var hasBegun = false
    var differing: [StyledText] = []
  }

  private let output: Output
  private let terminal: Terminal
  private let columns: CheckColumns
  private let scenarioCount: Int
  private let endingCount: Int
  private let state = Mutex(State())

  init(
    output: Output, terminal: Terminal, selection: [(scenario: Scenario, endings: [Ending])]
  ) {
    self.output = output
    self.terminal = terminal
    columns = CheckColumns(selection)
    scenarioCount = selection.count
    endingCount = selection.reduce(0) { $0 + $1.endings.count }
  }

  /// Writes how an ending came out, with every difference on a line of its own.
  func line(_ scenario: Scenario, _ ending: Ending, _ trial: TrialReport) throws(OutputError) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    if isFirst { try write(columns.heading) }
    let lines =
      [columns.line(scenario, ending, trial)]
      + trial.differences.flatMap {
        ProseLines.paragraph("- " + $0, indent: "    ", width: terminal.width).map {
          StyledText($0.plain, .emphasis)
        }
      }
    try write(lines)
    if !trial.asExpected { state.withLock { $0.differing += lines } }
  }

  /// Writes the endings that differ once more, how many were run and how many of them differ.
  func summary(differing: Int) throws(OutputError) {
    let repeated = state.withLock { $0.differing }
    if !repeated.isEmpty {
      try write(["", StyledText("Not as declared:", .emphasis)] + repeated)
    }
    try write([
      "",
      StyledText("\(counted(scenarioCount, "scenario")), \(counted(endingCount, "ending")): ")
        + StyledText("\(endingCount - differing) as declared", .clean) + ", "
        + StyledText("\(differing) not", differing > 0 ? .leaked : nil),
    ])
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    for line in lines { try output.write(line.rendered(color: terminal.usesColor) + "\n") }
  }
}
