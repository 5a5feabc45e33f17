import MemlabKit
import Scenarios

/// `memlab matrix [family]`: which pattern survives which ending, measured.
enum MatrixCommand: Command {
  static let spec = CommandSpec(
    "matrix",
    abstract: "Show which pattern leaks under which ending.",
    discussion: """
      Runs every ending of the scenarios of one family, or of all of them, and draws a table for \
      each document. Exits with 1 when anything measured differs from what the scenario declares.
      """,
    arguments: [
      ArgumentSpec(
        "family", help: "The family whose scenarios are run; all of them if none is named.",
        values: .oneOf(Catalog.families), isOptional: true)
    ],
    options: [.scheduler, .requireHeap, .color])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let wanted = invocation.positionals.first
    let scenarios = session.scenarios.filter { wanted == nil || $0.document.family == wanted }
    let groups = scenarios.byDocument
    let items = groups.joined().flatMap { scenario in scenario.endings.map { (scenario, $0) } }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(invocation, detail: .holders), in: session)
    try measurements.tellRemark(in: session)
    let width = session.terminal(for: invocation).width
    var differences: [StyledText] = []
    for group in groups {
      let rows = try group.map { scenario in
        let trials = try scenario.endings.map { _ in try measurements.trial(in: session) }
        return MatrixRow(scenario, trials)
      }
      try session.write(MatrixLines(rows).lines(width: width) + [""], for: invocation)
      differences += rows.flatMap { $0.differences(width: width) }
    }
    try session.write(MatrixLines.legend(width: width), for: invocation)
    if !differences.isEmpty { try session.write([""] + differences, for: invocation) }
    return differences.isEmpty ? .success : .unexpected
  }

  static let measuresMany = true
}

extension [Scenario] {
  /// Scenarios that come from the same document, together.
  fileprivate var byDocument: [[Scenario]] {
    let documents = map(\.document).reduce(into: [Document]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return documents.map { document in filter { $0.document == document } }
  }
}
