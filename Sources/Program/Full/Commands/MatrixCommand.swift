import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab matrix [family]`: which pattern survives which ending, measured.
enum MatrixCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let wanted = invocation.positionals.first
    let scenarios = session.scenarios.filter { wanted == nil || $0.document.family == wanted }
    let groups = scenarios.grouped(by: \.document)
    let items = groups.joined().flatMap { scenario in scenario.endings.map { (scenario, $0) } }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.result(.holders), invocation), in: session)
    try session.note(measurements.remark)
    let width = session.terminal(for: invocation).width
    var differences: [StyledText] = []
    for group in groups {
      let rows = try group.map { scenario in
        let trials = try scenario.endings.map { _ in try measurements.trial(in: session) }
        return MatrixRow(scenario: scenario, trials: trials)
      }
      try session.write(MatrixLines(rows: rows).lines(width: width) + [""], for: invocation)
      differences += rows.flatMap { $0.differences(width: width) }
    }
    try session.write(MatrixLines.legend(width: width), for: invocation)
    if !differences.isEmpty { try session.write([""] + differences, for: invocation) }
    return differences.isEmpty ? .success : .unexpected
  }

  static let measuresMany = true
}

/// A pattern with what each of its endings has measured.
struct MatrixRow {
  /// The pattern.
  let scenario: Scenario
  /// What was measured, in the order of its endings.
  let trials: [TrialReport]

  /// The names of its endings.
  var endings: [String] { scenario.endings.map(\.name) }

  /// The cell for an ending; empty if the scenario has no such ending.
  func cell(_ ending: String) -> StyledText {
    guard let trial = trials.first(where: { $0.ending == ending }) else { return "" }
    let style: TextStyle = trial.verdict == .clean ? .clean : .leaked
    return StyledText(Self.text(for: trial), style)
      + (trial.asExpected ? "" : StyledText("!", .emphasis))
  }

  private static func text(for trial: TrialReport) -> String {
    guard trial.verdict == .leak else { return trial.verdict.rawValue }
    return trial.left.map { "\($0.count)\($0.what.prefix(1))" }.joined(separator: "+")
  }

  /// How the measurements differ from what the scenario declares.
  func differences(width: Int) -> [StyledText] {
    trials.filter { !$0.asExpected }.flatMap { trial in
      [StyledText("! \(scenario.id), ending \(trial.ending)", .emphasis)]
        + trial.differences.flatMap { ProseLines.item($0, indent: "    ", width: width) }
    }
  }
}

/// The patterns of one document against their endings.
struct MatrixLines {
  /// The patterns; there must be one.
  let rows: [MatrixRow]

  private var idWidth: Int { rows.map(\.scenario.id).widest }

  /// The table, in parts with columns of their own where all endings do not fit beside each other.
  ///
  /// Where even one pattern is too wide, its name stands above its endings, which fill line after
  /// line.
  func lines(width: Int) -> [StyledText] {
    let document = rows[0].scenario.document
    let title = StyledText(document.title, .heading) + StyledText(" (\(document.family))", .dim)
    let titles = ProseLines.paragraph(title.plain, width: width)
    let titleLines = title.width <= width ? [title] : titles.map { StyledText($0.plain, .heading) }
    let tables = rows.inGroups { table(of: $0).fit(width) }.map { part in
      let table = table(of: part)
      return table.fit(width) ? table : stack(part[0], width: width)
    }
    return titleLines + Array(tables.joined(separator: [""]))
  }

  /// What the cells mean.
  static func legend(width: Int) -> [StyledText] {
    let text =
      "2o+1t: 2 objects and 1 task stay alive · clean: everything is gone · race: updates are lost "
      + "· split: the values were shared out · blank: the pattern has no such ending · "
      + "!: not as declared"
    return ProseLines.paragraph(text, indent: "", width: width).map { StyledText($0.plain, .dim) }
  }

  private func table(of part: [MatrixRow]) -> [StyledText] {
    let endings = part.flatMap(\.endings).uniqued()
    var table = Table(columns: [.text()] + endings.map { _ in .text() })
    table.add([StyledText(spaces(idWidth))] + endings.map { StyledText($0) }, style: .dim)
    for row in part { table.add([StyledText(row.scenario.id)] + endings.map(row.cell)) }
    return table.lines(indent: 2)
  }

  private func stack(_ row: MatrixRow, width: Int) -> [StyledText] {
    let name = row.scenario.id.folded(to: width - 2).map { StyledText("  " + $0) }
    return name
      + row.endings.inGroups { Self.table(of: $0, in: row).fit(width) }.flatMap {
        Self.table(of: $0, in: row)
      }
  }

  private static func table(of endings: [String], in row: MatrixRow) -> [StyledText] {
    var table = Table(columns: endings.map { _ in .text() })
    table.add(endings.map { StyledText($0) }, style: .dim)
    table.add(endings.map(row.cell))
    return table.lines(indent: 4)
  }
}

extension [StyledText] {
  fileprivate func fit(_ width: Int) -> Bool { allSatisfy { $0.width <= width } }
}
