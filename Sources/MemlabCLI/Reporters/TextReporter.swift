import MemlabKit

/// The report for people, in the width of the terminal.
struct TextReporter: Reporter {
  let output: Output
  let terminal: Terminal
  /// Whether to say what a leak costs in memory.
  var showsCost = false

  func begin(_ scenario: Scenario) throws {
    let badge: StyledText =
      switch scenario.purpose {
      case .leak: StyledText("leaks on purpose", .leaked)
      case .race: StyledText("races on purpose", .leaked)
      case .split: StyledText("splits on purpose", .leaked)
      case .clean: StyledText("clean", .clean)
      }
    let heading = StyledText(scenario.id, .heading) + StyledText(" · " + scenario.title)
    let gap = max(2, terminal.width - heading.width - badge.width)
    try write(heading + StyledText(String(repeating: " ", count: gap)) + badge)
    try write(StyledText("\(scenario.document.title) · \(scenario.place)", .dim))
    try write(StyledText("Lessons/\(scenario.lesson)", .dim))
  }

  func remark(_ sentence: String) throws {
    for line in ProseLines.remark(sentence, width: terminal.width) { try write(line) }
  }

  func begin(_ ending: Ending) throws {
    try write("")
    let label = "  ending \(ending.name):"
    let lines = ProseLines.paragraph(
      ending.title, indent: String(repeating: " ", count: label.count + 1), width: terminal.width)
    let first = StyledText(String(lines[0].plain.dropFirst(label.count)))
    try write(StyledText(label, .emphasis) + first)
    for line in lines.dropFirst() { try write(line) }
  }

  func step(_ record: StepRecord) {
    // A failure to write is thrown again by the next write, at a place that can throw.
    for line in StepLines.lines(for: record, width: terminal.width) { try? write(line) }
  }

  func end(_ ending: Ending, _ trial: TrialReport) throws {
    for lines in [
      CountLines.lines(for: trial),
      WhyLines.lines(for: trial, width: terminal.width),
      WhyLines.waiters(of: trial, width: terminal.width),
      showsCost ? WhyLines.cost(of: trial) : [],
      ProseLines.explanation(of: ending, trial, width: terminal.width),
      ProseLines.claims(of: trial, width: terminal.width),
      VerdictLines.lines(for: trial, width: terminal.width),
    ] where !lines.isEmpty {
      try write("")
      for line in lines { try write(line) }
    }
  }

  func end(_ scenario: Scenario, _ report: Report) throws {
    for line in EndingTable.lines(of: scenario, report, width: terminal.width) { try write(line) }
    try write("")
    for line in VerdictLines.summary(of: scenario, width: terminal.width) { try write(line) }
  }

  private func write(_ line: StyledText) throws(OutputError) {
    try output.write(line.rendered(color: terminal.usesColor) + "\n")
  }
}

extension Scenario {
  /// What the scenario is there to show: the worst of its declared verdicts.
  fileprivate var purpose: Verdict {
    endings.map(\.expects.verdict).first { $0 != .clean } ?? .clean
  }
}
