import MemlabKit
import Synchronization

/// The output of `memlab check`: a line for each ending, the names of those that failed, and a count.
final class CheckReporter: CheckFormat {
  private struct State {
    var hasBegun = false
    var scenario: String?
  }

  private let output: Output
  private let terminal: Terminal
  private let columns: CheckColumns
  private let state = Mutex(State())

  init(output: Output, terminal: Terminal, selection: [CheckSelection.Item]) {
    self.output = output
    self.terminal = terminal
    columns = CheckColumns(selection, width: terminal.width)
  }

  /// Writes how an ending came out, with every difference on a line of its own.
  func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    guard result.status != .skipped else { return }
    let lines =
      columns.lines(result, trial)
      + result.complaints.flatMap {
        ProseLines.item($0, indent: "    ", width: terminal.width).map {
          StyledText($0.plain, .emphasis)
        }
      }
    try write(start(of: result.scenario) + lines)
  }

  /// What stands above an ending's line: the heading above the first, a scenario's name above its.
  private func start(of scenario: String) -> [StyledText] {
    state.withLock { state in
      defer { (state.hasBegun, state.scenario) = (true, scenario) }
      return (state.hasBegun ? [] : columns.heading)
        + (state.scenario == scenario ? [] : columns.name(scenario))
    }
  }

  /// Writes which endings failed, how many were run and how many came out how.
  func end(_ report: CheckReport) throws {
    let counts = report.summary
    guard counts.ran > 0 else { return }
    try write(
      [""] + names("Not as declared", of: .differing, in: report)
        + names("Not measured", of: .untrusted, in: report))
    let untrusted = counts.untrusted > 0 ? ", \(counts.untrusted) not to be trusted" : ""
    let skipped = counts.skipped > 0 ? "; \(counts.skipped) skipped" : ""
    let line =
      StyledText("\(counted(counts.scenarios, "scenario")), \(counted(counts.ran, "ending")): ")
      + StyledText("\(counts.asDeclared) as declared", .clean) + ", "
      + StyledText("\(counts.differing) not", counts.differing > 0 ? .leaked : nil)
      + StyledText(untrusted, .leaked) + StyledText(skipped)
    let isTooWide = line.width > terminal.width
    try write(
      isTooWide ? ProseLines.paragraph(line.plain, indent: "", width: terminal.width) : [line])
  }

  // Their rows may have scrolled away.
  private func names(
    _ title: String, of status: CheckResult.Status, in report: CheckReport
  ) -> [StyledText] {
    let names = report.results.filter { $0.status == status }.map { "\($0.scenario) \($0.ending)" }
    guard !names.isEmpty else { return [] }
    return ProseLines.paragraph(
      "\(title): \(names.joined(separator: ", "))", indent: "", width: terminal.width)
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    for line in lines { try output.write(line.rendered(color: terminal.usesColor) + "\n") }
  }
}
