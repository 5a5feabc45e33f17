package import MemlabKit
package import MemlabTerminalText

/// The report for people, in the width of the terminal.
package struct TextReporter: Sendable {
  private let output: Output
  private let terminal: Terminal
  private let program: String
  private let showsCost: Bool
  private let recorded: RecordedChains?

  /// A report that is written to an output.
  ///
  /// - Parameters:
  ///   - output: where it goes.
  ///   - terminal: what can be shown there.
  ///   - program: the name of the program, as typed.
  ///   - showsCost: whether to say what a leak costs in memory.
  ///   - recorded: what stands in where the heap is not read.
  package init(
    output: Output, terminal: Terminal, program: String, showsCost: Bool = false,
    recorded: RecordedChains? = nil
  ) {
    (self.output, self.terminal) = (output, terminal)
    (self.program, self.showsCost, self.recorded) = (program, showsCost, recorded)
  }

  /// A scenario is about to run.
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
    let gap = spaces(max(2, terminal.width - heading.width - badge.width))
    let places = [scenario.origin] + [scenario.lessonPath].compactMap(\.self)
    try write([heading + StyledText(gap) + badge] + places.map { StyledText($0, .dim) })
  }

  /// Something about the whole run should be known.
  package func remark(_ sentence: String) throws {
    try write(ProseLines.remark(sentence, width: terminal.width))
  }

  /// An ending is about to run.
  package func begin(_ ending: Ending) throws {
    let label = StyledText("  ending \(ending.name):", .emphasis) + " "
    let title = ending.title.wrapped(to: terminal.width - label.width)
    try write([""] + title.hanging(behind: label))
  }

  /// A step is over.
  package func step(_ record: StepRecord) {
    // A failure to write is thrown again by the next write, at a place that can throw.
    try? write(StepLines.lines(for: record, width: terminal.width))
  }

  /// An ending is over.
  package func end(_ ending: Ending, _ trial: TrialReport) throws {
    for lines in [
      CountLines.lines(for: trial, width: terminal.width),
      ChainLines.lines(for: trial, width: terminal.width),
      trial.asExpected ? recorded?.lines(of: ending.name) ?? [] : [],
      WaitingTaskLines.lines(of: trial, width: terminal.width),
      showsCost ? CountLines.cost(of: trial) : [],
      ProseLines.explanation(of: ending, trial, width: terminal.width),
      ClaimLines.lines(of: trial, width: terminal.width),
      VerdictLines.lines(for: trial, width: terminal.width),
    ] where !lines.isEmpty { try write([""] + lines) }
  }

  /// All endings are over.
  package func end(_ scenario: Scenario, _ report: Report) throws {
    try write(Self.table(of: scenario, report) + [""])
    try write(NextLines.lines(after: scenario, program: program, width: terminal.width))
  }

  // All endings of a run at a glance: on most screens only the last is still visible.
  private static func table(of scenario: Scenario, _ report: Report) -> [StyledText] {
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

  private func write(_ lines: [StyledText]) throws(OutputError) {
    let lines = lines.flatMap { $0.foldedIfNarrow(to: terminal.width) }
    try output.write(lines, color: terminal.usesColor)
  }
}

extension Scenario {
  /// The document and the place in it.
  package var origin: String { place.isEmpty ? document.title : "\(document.title) · \(place)" }

  /// Where to read more: a folder of the course, or what else its author names; nil where there is
  /// none.
  package var lessonPath: String? { lesson.map { $0.contains("/") ? $0 : "Lessons/\($0)" } }

  /// What the scenario is there to show: the worst of its declared verdicts; nil where none is
  /// declared yet.
  fileprivate var purpose: Verdict? {
    if endings.contains(where: \.expects.isUnrecorded) { return nil }
    return endings.map(\.expects.verdict).first { $0 != .clean } ?? .clean
  }
}

/// A step in the text report: what is done at the left, its effects at the right.
package enum StepLines {
  private static let changeColumn = 42
  // With less, only short names have room at the right.
  private static let leastWidth = changeColumn + 30

  /// A step, with what it changed beside it or, where the line is too narrow, below it.
  static func lines(for record: StepRecord, width: Int) -> [StyledText] {
    let text = "    \(record.index) \(record.text)"
    guard width >= leastWidth else {
      return [StyledText(text)] + rows(of: record.changes, width: width - 8).map { "        " + $0 }
    }
    let changes = rows(of: record.changes, width: width - changeColumn)
    let fits = text.displayWidth + 2 <= changeColumn
    let margin = spaces(changeColumn)
    return (fits ? [] : [StyledText(text)])
      + changes.enumerated().map { index, row in
        StyledText(index == 0 && fits ? text.padded(to: changeColumn) : margin) + row
      }
  }

  /// The changes of a step, as many on a line as it has room for.
  package static func rows(of changes: [String], width: Int) -> [StyledText] {
    changes.reduce(into: [StyledText]()) { rows, change in
      let styled = StyledText(change, style(of: change))
      if let last = rows.last, last.width + 2 + styled.width <= width {
        rows[rows.count - 1] = last + "  " + styled
      } else {
        rows.append(styled)
      }
    }
  }

  private static func style(of change: String) -> TextStyle? {
    change.hasPrefix("- ") ? .clean : change.hasPrefix("nothing ") ? .dim : nil
  }
}
