import MemlabKit
import Synchronization

/// The output of `memlab check`: a line for each ending, those that differ once more, and a count.
final class CheckReporter: CheckFormat {
  private struct State {
    var hasBegun = false
    var differing: [StyledText] = []
  }

  private let output: Output
  private let terminal: Terminal
  private let columns: CheckColumns
  private let state = Mutex(State())

  init(output: Output, terminal: Terminal, selection: [CheckSelection.Item]) {
    self.output = output
    self.terminal = terminal
    columns = CheckColumns(selection)
  }

  /// Writes how an ending came out, with every difference on a line of its own.
  func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    guard let trial else { return }
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    if isFirst { try write(columns.heading) }
    let lines =
      [columns.line(result, trial)]
      + result.differences.flatMap {
        ProseLines.item($0, indent: "    ", width: terminal.width).map {
          StyledText($0.plain, .emphasis)
        }
      }
    try write(lines)
    if result.status.isFailure { state.withLock { $0.differing += lines } }
  }

  /// Writes the endings that differ once more, how many were run and how many of them differ.
  func end(_ report: CheckReport) throws {
    let counts = report.summary
    guard counts.ran > 0 else { return }
    let repeated = state.withLock { $0.differing }
    if !repeated.isEmpty {
      try write(["", StyledText("Not as declared:", .emphasis)] + repeated)
    }
    let untrusted = counts.untrusted > 0 ? ", \(counts.untrusted) not to be trusted" : ""
    let skipped = counts.skipped > 0 ? "; \(counts.skipped) skipped" : ""
    try write([
      "",
      StyledText("\(counted(counts.scenarios, "scenario")), \(counted(counts.ran, "ending")): ")
        + StyledText("\(counts.asDeclared) as declared", .clean) + ", "
        + StyledText("\(counts.differing) not", counts.differing > 0 ? .leaked : nil)
        + StyledText(untrusted, .leaked) + StyledText(skipped),
    ])
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    for line in lines { try output.write(line.rendered(color: terminal.usesColor) + "\n") }
  }
}
