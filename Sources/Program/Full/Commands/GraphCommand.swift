import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// `memlab graph <scenario>`: who holds what is left, as a picture.
enum GraphCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let isInteractive = Terminal(descriptor: session.output.descriptor).isInteractive
    let format =
      invocation.choice("format", as: GraphFormat.self) ?? (isInteractive ? .text : .mermaid)
    let (drawing, isAsExpected) = try drawing(invocation, as: format, in: session)
    try session.output.write(drawing)
    return isAsExpected ? .success : .unexpected
  }

  /// Runs the ending that a command line names, and draws its graph.
  ///
  /// - Returns: the drawing, and whether the ending was measured as declared.
  static func drawing(
    _ invocation: Invocation, as format: GraphFormat, in session: Session
  ) throws -> (String, isAsExpected: Bool) {
    let scenario = session.scenario(invocation.positionals[0])
    let ending = try invocation.ending(of: scenario) ?? leakingEnding(of: scenario)
    let laboratory = try Laboratory(for: invocation, in: session, refusesWithoutHeap: true)
    let title = "\(scenario.id), ending \(ending.name)"
    if invocation.isGiven("step") {
      let film = try laboratory.film(ending)
      let (step, text, graph) = try invocation.step(of: film)
      let what = "\(title), after step \(step): \(text)"
      return (format.drawing(of: graph, title: what), film.report.asExpected)
    }
    let trial = try laboratory.run(ending)
    return (format.drawing(of: trial.graph, title: "\(title): \(ending.title)"), trial.asExpected)
  }

  /// The lines that `memlab graph … --format text` prints below its title.
  ///
  /// - Parameter line: a command line that begins with `memlab graph`.
  /// - Returns: nil where the line asks for something else.
  /// - Throws: `UsageError` when the line cannot be understood, and what running it throws.
  static func text(of line: String, in session: Session) throws -> [String]? {
    let words = line.split(separator: " ").dropFirst().map(String.init)
    let request = try Memlab(session: session).parser(for: words.first).parse(words)
    guard case .command(let invocation) = request, invocation.command == "graph" else { return nil }
    let (drawing, _) = try drawing(invocation, as: .text, in: session)
    return drawing.split(separator: "\n").dropFirst().map(String.init)
  }

  /// The first ending that leaves anything, or else the first.
  static func leakingEnding(of scenario: Scenario) -> Ending {
    scenario.endings.first { $0.expects.verdict == .leak } ?? scenario.endings[0]
  }
}

extension Invocation {
  /// The step of a film that `--step` names, or the last one: its number, what is done in it, and who holds
  /// whom after it.
  ///
  /// - Throws: `UsageError` when the film has no such step.
  func step(of film: Film) throws(UsageError) -> (step: Int, text: String, graph: OwnershipGraph) {
    guard !film.moments.isEmpty else { throw usageError("The ending has no steps.") }
    let step = try integer("step", upTo: film.moments.count) ?? film.moments.count
    let moment = film.moments[step - 1]
    return (step, moment.step.text, moment.graph ?? OwnershipGraph(nodes: [], edges: []))
  }
}
