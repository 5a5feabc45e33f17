import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// `memlab compare <left> <right>`: two scenarios side by side.
enum CompareCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let (left, right) = (
      session.scenario(invocation.positionals[0]), session.scenario(invocation.positionals[1])
    )
    let pairs = try pairs(left, right, invocation)
    let items = pairs.flatMap { [(left, $0.0), (right, $0.1)] }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.result(.everything), invocation), in: session)
    let columns = ComparisonColumns(width: session.terminal(for: invocation).width)
    try session.write(columns.heading(left, right), for: invocation)
    try measurements.writeRemark(in: session)
    var isAsDeclared = true
    for (first, _) in pairs {
      let comparison = Comparison(
        try measurements.trial(in: session), try measurements.trial(in: session))
      try session.write([""] + columns.lines(first, comparison), for: invocation)
      isAsDeclared = isAsDeclared && comparison.isAsDeclared
    }
    try session.write(columns.unmatched(left, right), for: invocation)
    return isAsDeclared ? .success : .unexpected
  }

  static let measuresMany = true

  private static func pairs(
    _ left: Scenario, _ right: Scenario, _ invocation: Invocation
  ) throws(UsageError) -> [(Ending, Ending)] {
    let pairs = left.endings.compactMap { first in
      right.endings.first { $0.name == first.name }.map { (first, $0) }
    }
    guard !pairs.isEmpty else {
      throw invocation.usageError(
        "'\(left.id)' and '\(right.id)' have no ending in common: "
          + "\(endings(of: left)), and \(endings(of: right)).")
    }
    guard let name = invocation.value("ending") else { return pairs }
    let chosen = pairs.filter { $0.0.name == name }
    guard !chosen.isEmpty else {
      throw invocation.invalidValue(of: "ending", expected: .oneOf(pairs.map(\.0.name)))
    }
    return chosen
  }

  private static func endings(of scenario: Scenario) -> String {
    scenario.endings.map(\.name).joined(separator: ", ")
  }
}

/// What two trials have measured, fact by fact.
struct Comparison {
  /// A fact of both trials.
  struct Row: Equatable {
    /// What it is: "verdict", or "Clock is held by".
    let name: String
    /// What the first trial has measured.
    let left: String
    /// What the second has.
    let right: String

    /// Whether both have measured the same.
    var isEqual: Bool { left == right }
  }

  /// The facts, the verdicts first.
  let rows: [Row]
  /// Whether both trials are as their scenarios declare.
  let isAsDeclared: Bool

  /// Compares two trials.
  init(_ left: TrialReport, _ right: TrialReport) {
    isAsDeclared = left.asExpected && right.asExpected
    let sides = (Facts(left), Facts(right))
    let names = sides.0.names + sides.1.names.filter { !sides.0.names.contains($0) }
    rows = names.map { Row(name: $0, left: sides.0[$0], right: sides.1[$0]) }
  }
}

/// What one trial has measured, by name.
private struct Facts {
  private(set) var names: [String] = []
  private var values: [String: String] = [:]

  init(_ trial: TrialReport) {
    add("verdict", trial.verdict.rawValue + (trial.asExpected ? "" : ", NOT as declared"))
    for object in trial.objects {
      add(object.type, "\(object.deinitialized) of \(object.created) deinitialised")
      let chain = trial.heap?.paths.first { $0.type == object.type }
      if let chain { add("\(object.type) is held by", "\(chain.holder)") }
    }
    for task in trial.tasks {
      add("task \(task.name)", "\(task.finished) of \(task.started) finished")
    }
    for (name, value) in trial.metrics.sorted(by: { $0.key < $1.key }) {
      add(name.rawValue, "\(value)")
    }
  }

  /// A value; a dash if the trial has none.
  subscript(name: String) -> String { values[name] ?? "–" }

  private mutating func add(_ name: String, _ value: String) {
    guard values.updateValue(values[name] ?? value, forKey: name) == nil else { return }
    names.append(name)
  }
}

/// Two scenarios side by side, in the width of the terminal.
struct ComparisonColumns {
  private let nameWidth, valueWidth: Int

  /// Columns for a page of this width.
  init(width: Int) {
    valueWidth = max(12, (width - 4) / 3)
    nameWidth = max(12, width - 4 - 2 * valueWidth)
  }

  /// The names and titles of the two scenarios.
  func heading(_ left: Scenario, _ right: Scenario) -> [StyledText] {
    zipped(left.id, right.id).map { row("", $0, $1, style: .heading) }
      + zipped(left.title, right.title).map { row("", $0, $1, style: .dim) }
  }

  /// What one ending has measured on both sides.
  func lines(_ ending: Ending, _ comparison: Comparison) -> [StyledText] {
    [StyledText("ending \(ending.name): ", .emphasis) + StyledText(ending.title)]
      + comparison.rows.flatMap(lines)
  }

  /// The endings that only one of the scenarios has.
  func unmatched(_ left: Scenario, _ right: Scenario) -> [StyledText] {
    let lines = [(left, right), (right, left)].compactMap { one, other -> StyledText? in
      let names = one.endings.map(\.name).filter { !other.endings.map(\.name).contains($0) }
      guard !names.isEmpty else { return nil }
      return StyledText("only \(one.id) has: \(names.joined(separator: ", "))", .dim)
    }
    return (lines.isEmpty ? [] : [""]) + lines
  }

  private func lines(for row: Comparison.Row) -> [StyledText] {
    let names = row.name.folded(to: nameWidth - 4)
    let values = zipped(row.left, row.right)
    return (0..<max(names.count, values.count)).map { index in
      let name = index < names.count ? (index == 0 ? "  " : "    ") + names[index] : ""
      let (left, right) = index < values.count ? values[index] : ("", "")
      return self.row(
        name, left, right, mark: index == 0 && !row.isEqual ? "≠" : " ",
        style: row.isEqual ? .dim : nil)
    }
  }

  private func row(
    _ name: String, _ left: String, _ right: String, mark: String = " ", style: Style? = nil
  ) -> StyledText {
    let margin = StyledText(name.padded(to: nameWidth) + " ", style == .dim ? .dim : nil)
    guard !right.isEmpty || mark != " " else {
      return left.isEmpty ? StyledText(name) : margin + StyledText(left, style)
    }
    let gap = left.padded(to: valueWidth + 1).dropFirst(left.count)
    return margin + StyledText(left, style) + StyledText(String(gap))
      + StyledText(mark, .emphasis) + " " + StyledText(right, style)
  }

  private func zipped(_ left: String, _ right: String) -> [(String, String)] {
    let (left, right) = (left.folded(to: valueWidth), right.folded(to: valueWidth))
    return (0..<max(left.count, right.count)).map { index in
      (index < left.count ? left[index] : "", index < right.count ? right[index] : "")
    }
  }
}
