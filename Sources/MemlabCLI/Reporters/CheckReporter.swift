import MemlabKit

/// The output of `memlab check`: a line for each ending, and a count.
struct CheckReporter: Sendable {
  private let output: Output
  private let terminal: Terminal
  private let idWidth: Int
  private let endingWidth: Int
  private let scenarioCount: Int
  private let endingCount: Int

  init(
    output: Output, terminal: Terminal, selection: [(scenario: Scenario, endings: [Ending])]
  ) {
    self.output = output
    self.terminal = terminal
    let endings = selection.flatMap(\.endings)
    idWidth = selection.map(\.scenario.id.displayWidth).max() ?? 0
    endingWidth = endings.map(\.name.displayWidth).max() ?? 0
    scenarioCount = selection.count
    endingCount = endings.count
  }

  /// Writes how an ending came out, with every difference on a line of its own.
  func line(_ scenario: Scenario, _ ending: Ending, _ trial: TrialReport) throws(OutputError) {
    let mark = trial.asExpected ? StyledText("✓", .clean) : StyledText("✗", .leaked)
    let name = "  \(scenario.id.padded(to: idWidth))  \(ending.name.padded(to: endingWidth))"
    let verdict = trial.verdict.rawValue.padded(to: 5)
    try write(mark + StyledText("\(name)  \(verdict)  \(VerdictLines.summary(of: trial))"))
    for difference in trial.differences {
      try write(StyledText("    - " + difference, .emphasis))
    }
  }

  /// Writes how many endings were run and how many of them differ.
  func summary(differing: Int) throws(OutputError) {
    try write("")
    try write(
      StyledText("\(counted(scenarioCount, "scenario")), \(counted(endingCount, "ending")): ")
        + StyledText("\(endingCount - differing) as declared", .clean) + ", "
        + StyledText("\(differing) not", differing > 0 ? .leaked : nil))
  }

  private func write(_ line: StyledText) throws(OutputError) {
    try output.write(line.rendered(color: terminal.usesColor) + "\n")
  }
}
