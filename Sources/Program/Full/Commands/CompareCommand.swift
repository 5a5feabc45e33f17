import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// `memlab compare <left> <right>`: two scenarios side by side.
enum CompareCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let left = session.scenario(invocation.positionals[0])
    let right = session.scenario(invocation.positionals[1])
    let pairs = try pairs(left, right, invocation)
    let items = pairs.flatMap { [(left, $0.0), (right, $0.1)] }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.result(.everything), invocation), in: session)
    let columns = ComparisonColumns(width: session.terminal(for: invocation).width)
    try session.write(columns.heading(left, right), for: invocation)
    try session.note(measurements.remark)
    var isAsDeclared = true
    for (first, _) in pairs {
      let trials = try [measurements.trial(in: session), measurements.trial(in: session)]
      try session.write([""] + columns.lines(first, trials), for: invocation)
      isAsDeclared = isAsDeclared && trials.allSatisfy(\.asExpected)
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
    let names = try invocation.endings(among: pairs.map(\.0)).map(\.name)
    return pairs.filter { names.contains($0.0.name) }
  }

  private static func endings(of scenario: Scenario) -> String {
    scenario.endings.map(\.name).joined(separator: ", ")
  }
}

extension TrialReport {
  /// What it has measured, each with what it is: "verdict", or "Clock is held by".
  fileprivate var facts: [(String, String)] {
    var facts = [("verdict", verdict.rawValue + (asExpected ? "" : ", NOT as declared"))]
    for object in objects {
      facts.append((object.type, "\(object.deinitialized) of \(object.created) deinitialised"))
      let chain = heap?.paths.first { $0.type == object.type }
      if let chain { facts.append(("\(object.type) is held by", "\(chain.holder)")) }
    }
    facts += tasks.map { ("task \($0.name)", "\($0.finished) of \($0.started) finished") }
    return facts + metrics.sorted { $0.key < $1.key }.map { ($0.key.rawValue, "\($0.value)") }
  }
}

/// Two scenarios side by side, in the width of the terminal.
struct ComparisonColumns {
  /// How wide the page is.
  let width: Int

  private var valueWidth: Int { max(12, (width - 4) / 3) }
  private var nameWidth: Int { max(12, width - 4 - 2 * valueWidth) }

  /// The names and titles of the two scenarios.
  func heading(_ left: Scenario, _ right: Scenario) -> [StyledText] {
    zipped(left.id, right.id).map { row("", $0, $1, style: .heading) }
      + zipped(left.title, right.title).map { row("", $0, $1, style: .dim) }
  }

  /// What one ending has measured on both sides, fact by fact; a dash where one has none.
  func lines(_ ending: Ending, _ trials: [TrialReport]) -> [StyledText] {
    let sides = trials.map { trial in Dictionary(trial.facts) { first, _ in first } }
    let names = trials.flatMap(\.facts).map(\.0).uniqued()
    return [StyledText("ending \(ending.name): ", .emphasis) + StyledText(ending.title)]
      + names.flatMap { lines(for: $0, sides[0][$0] ?? "–", sides[1][$0] ?? "–") }
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

  private func lines(for fact: String, _ left: String, _ right: String) -> [StyledText] {
    let names = fact.folded(to: nameWidth - 4)
    let (values, isEqual) = (zipped(left, right), left == right)
    return (0..<max(names.count, values.count)).map { index in
      let name = index < names.count ? (index == 0 ? "  " : "    ") + names[index] : ""
      let (left, right) = index < values.count ? values[index] : ("", "")
      return row(
        name, left, right, mark: index == 0 && !isEqual ? "≠" : " ", style: isEqual ? .dim : nil)
    }
  }

  private func row(
    _ name: String, _ left: String, _ right: String, mark: String = " ", style: TextStyle? = nil
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
