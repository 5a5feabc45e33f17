import MemlabKit

/// `memlab graph <scenario>`: who holds what is left, as a picture.
enum GraphCommand: Command {
  static let spec = CommandSpec(
    "graph",
    abstract: "Draw who holds what is left.",
    discussion: """
      Runs one ending, the first that leaves anything unless another is named, and draws the \
      chains of strong references that were read from the heap.
      """,
    arguments: [ArgumentSpec("scenario", help: "The scenario to run.", values: .scenario)],
    options: [
      .option("ending", valueName: "name", help: "Run this ending.", values: .ending),
      .option(
        "format", valueName: "format", help: "How the graph is written.",
        values: .cases(of: GraphFormat.self), default: GraphFormat.mermaid.rawValue),
      .scheduler,
    ])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let ending = try invocation.ending(of: scenario) ?? leakingEnding(of: scenario)
    let laboratory = try Laboratory(for: invocation, in: session, requiresHeap: true)
    let trial = try laboratory.run(ending)
    let format = invocation.choice("format", as: GraphFormat.self) ?? .mermaid
    let title = "\(scenario.id), ending \(ending.name): \(ending.title)"
    let unfinished = trial.tasks.filter { $0.live > 0 }.map(\.name)
    let graph = OwnershipGraph(trial.heap?.paths ?? [], unfinished: unfinished)
    try session.output.write(format.drawing(of: graph, title: title))
    return trial.asExpected ? .success : .unexpected
  }

  private static func leakingEnding(of scenario: Scenario) -> Ending {
    scenario.endings.first { $0.expects.verdict == .leak } ?? scenario.endings[0]
  }
}
