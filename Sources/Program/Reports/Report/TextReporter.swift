package import MemlabKit
package import MemlabTerminalText

/// The report for people, in the width of the terminal.
package struct TextReporter: Reporter {
  private let output: Output
  private let terminal: Terminal
  private let program: String
  private let showsCost: Bool

  /// A report that is written to an output.
  ///
  /// - Parameters:
  ///   - output: where it goes.
  ///   - terminal: what can be shown there.
  ///   - program: the name of the program, as typed.
  ///   - showsCost: whether to say what a leak costs in memory.
  package init(output: Output, terminal: Terminal, program: String, showsCost: Bool = false) {
    (self.output, self.terminal) = (output, terminal)
    (self.program, self.showsCost) = (program, showsCost)
  }

  package func begin(_ scenario: Scenario) throws {
    let badge: StyledText =
      switch scenario.purpose {
      case nil: StyledText("not recorded yet", .emphasis)
      case .leak: StyledText("leaks on purpose", .leaked)
      case .race: StyledText("races on purpose", .leaked)
      case .split: StyledText("splits on purpose", .leaked)
      case .clean: StyledText("clean", .clean)
      }
    let heading = StyledText(scenario.id, .heading) + StyledText(" · " + scenario.title)
    let gap = max(2, terminal.width - heading.width - badge.width)
    try write(heading + StyledText(String(repeating: " ", count: gap)) + badge)
    try write(StyledText(scenario.origin, .dim))
    if let lesson = scenario.lessonPath { try write(StyledText(lesson, .dim)) }
  }

  package func remark(_ sentence: String) throws {
    for line in ProseLines.remark(sentence, width: terminal.width) { try write(line) }
  }

  package func begin(_ ending: Ending) throws {
    try write("")
    let label = "  ending \(ending.name):"
    let lines = ProseLines.paragraph(
      ending.title, indent: String(repeating: " ", count: label.count + 1), width: terminal.width)
    let first = StyledText(String(lines[0].plain.dropFirst(label.count)))
    try write(StyledText(label, .emphasis) + first)
    for line in lines.dropFirst() { try write(line) }
  }

  package func step(_ record: StepRecord) {
    // A failure to write is thrown again by the next write, at a place that can throw.
    for line in StepLines.lines(for: record, width: terminal.width) { try? write(line) }
  }

  package func end(_ ending: Ending, _ trial: TrialReport) throws {
    for lines in [
      CountLines.lines(for: trial, width: terminal.width),
      ChainLines.lines(for: trial, width: terminal.width),
      WaitingTaskLines.lines(of: trial, width: terminal.width),
      showsCost ? CountLines.cost(of: trial) : [],
      ProseLines.explanation(of: ending, trial, width: terminal.width),
      ClaimLines.lines(of: trial, width: terminal.width),
      VerdictLines.lines(for: trial, width: terminal.width),
    ] where !lines.isEmpty {
      try write("")
      for line in lines { try write(line) }
    }
  }

  package func end(_ scenario: Scenario, _ report: Report) throws {
    for line in EndingTable.lines(of: scenario, report, width: terminal.width) { try write(line) }
    try write("")
    for line in NextLines.lines(after: scenario, program: program, width: terminal.width) {
      try write(line)
    }
  }

  private func write(_ line: StyledText) throws(OutputError) {
    for line in line.foldedIfNarrow(to: terminal.width) {
      try output.write(line.rendered(color: terminal.usesColor) + "\n")
    }
  }
}

extension Scenario {
  /// The document and the place in it.
  package var origin: String { place.isEmpty ? document.title : "\(document.title) · \(place)" }

  /// Where to read more: a folder of the course, or what else its author names; nil where there is
  /// none.
  package var lessonPath: String? {
    lesson.map { $0.contains("/") ? $0 : "Lessons/\($0)" }
  }

  /// What the scenario is there to show: the worst of its declared verdicts; nil where none is
  /// declared yet.
  fileprivate var purpose: Verdict? {
    if endings.contains(where: \.expects.isUnrecorded) { return nil }
    return endings.map(\.expects.verdict).first { $0 != .clean } ?? .clean
  }
}

/// Writes a scenario's report; it runs nothing and measures nothing.
///
/// It gets each part of the report as soon as it exists, so that nothing is lost when a scenario
/// traps later.
package protocol Reporter: Sendable {
  /// A scenario is about to run.
  func begin(_ scenario: Scenario) throws
  /// Something about the whole run should be known.
  func remark(_ sentence: String) throws
  /// One of its endings is about to run.
  func begin(_ ending: Ending) throws
  /// A step is over.
  func step(_ record: StepRecord)
  /// The ending has been measured.
  func end(_ ending: Ending, _ trial: TrialReport) throws
  /// All endings have been measured.
  func end(_ scenario: Scenario, _ report: Report) throws
}

/// All endings of a run at a glance: on most screens only the last is still visible.
private enum EndingTable {
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
