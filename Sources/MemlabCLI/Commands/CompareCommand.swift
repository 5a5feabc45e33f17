import MemlabKit

/// `memlab compare <left> <right>`: two scenarios side by side.
enum CompareCommand: Command {
  static let spec = CommandSpec(
    "compare",
    abstract: "Run two scenarios and show what differs.",
    discussion: """
      Runs the endings that both scenarios have, and marks with ≠ what was measured differently. \
      Exits with 1 when anything measured differs from what its scenario declares.
      """,
    arguments: [
      ArgumentSpec("left", help: "A scenario.", values: .scenario),
      ArgumentSpec("right", help: "The scenario to compare it with.", values: .scenario),
    ],
    options: [
      .option(
        "ending", valueName: "name", help: "Compare this ending only.", values: .ending),
      .scheduler, .requireHeap, .color,
    ])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let (left, right) = (
      session.scenario(invocation.positionals[0]), session.scenario(invocation.positionals[1])
    )
    let pairs = try pairs(left, right, invocation)
    let items = pairs.flatMap { [(left, $0.0), (right, $0.1)] }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(invocation, detail: .everything), in: session)
    let columns = ComparisonColumns(width: session.terminal(for: invocation).width)
    try session.write(columns.heading(left, right), for: invocation)
    try measurements.tellRemark(in: session)
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
