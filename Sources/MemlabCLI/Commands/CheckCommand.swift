import MemlabKit

/// `memlab check`: every scenario, every ending, held against what the scenario's file declares.
enum CheckCommand: Command {
  static let spec = CommandSpec(
    "check",
    abstract: "Run scenarios and compare with what they declare.",
    discussion: """
      Exits with 0 when everything is as declared, a leak shown on purpose included, and with 1 \
      when anything differs. Before it trusts itself, it plants a leak that must be seen and a \
      clean run that must be silent; if either fails, it exits with 70.
      """,
    arguments: [
      ArgumentSpec(
        "scenario", help: "The scenarios to check; all of them if none is named.",
        values: .scenario, isOptional: true, isRepeating: true)
    ],
    options: [
      .option("ending", valueName: "name", help: "Check only endings of this name."),
      .scheduler, .requireHeap, .color,
    ])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let selection = try select(invocation, in: session)
    let reporter = CheckReporter(
      output: session.output, terminal: session.terminal(for: invocation), selection: selection)
    let laboratory = try Laboratory(
      for: invocation, in: session, requiresHeap: invocation.flag("require-heap"))
    if let remark = laboratory.remark { try session.errors.write("Note: \(remark)\n") }
    try session.selfCheck.run(on: laboratory.scheduler, witness: laboratory.witness)

    var differing = 0
    for (scenario, endings) in selection {
      for ending in endings {
        let trial = try laboratory.run(ending, tracesTasks: false)
        try reporter.line(scenario, ending, trial)
        differing += trial.asExpected ? 0 : 1
      }
    }
    try reporter.summary(differing: differing)
    return differing == 0 ? .success : .unexpected
  }

  /// The endings to check, in the catalog's order; each scenario once.
  private static func select(
    _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> [(scenario: Scenario, endings: [Ending])] {
    let named = invocation.positionals
    let wanted = session.scenarios.filter { named.isEmpty || named.contains($0.id) }
    let ending = invocation.value("ending")
    let selection = wanted.map { scenario in
      (scenario, scenario.endings.filter { ending == nil || $0.name == ending })
    }.filter { !$0.1.isEmpty }
    guard selection.isEmpty else { return selection }
    throw invocation.invalidValue(
      of: "ending", expected: .oneOf(endingNames(of: wanted)))
  }

  private static func endingNames(of scenarios: [Scenario]) -> [String] {
    scenarios.flatMap { $0.endings.map(\.name) }.reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }
}
