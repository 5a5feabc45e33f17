import MemlabCLI
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab cut <scenario> <edge> …`: what would go without a reference, computed.
enum CutCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "cut", abstract: "Compute what would go without a reference.",
      discussion: """
        Runs one ending up to a step, the last unless another is named, and computes by reference \
        counting what goes when references of its picture are cut, in which order, and what keeps \
        the rest alive. This is computed, not measured: what a deinit or a task does then needs a \
        run. An edge is a property, as in Moon.planet, or the name of a variable or a task, which \
        is dropped with all that it holds. The pages of '\(app.name) site' compute the same.
        """,
      arguments: [
        ArgumentSpec("scenario", help: "The scenario to run.", values: .scenario),
        ArgumentSpec("edge", help: "A property, a variable or a task to cut.", isRepeating: true),
      ],
      options: [
        .option("ending", valueName: "name", help: "Run this ending.", values: .ending),
        .option(
          "step", valueName: "n", help: "Cut after this step, and not after the last.",
          values: .integer(1...Int.max)),
        .option(
          "format", valueName: "format", help: "How the result is written.",
          values: .cases(of: ReportFormat.self), default: "text"),
        .scheduler, .color,
      ])
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let ending =
      try invocation.ending(of: scenario) ?? GraphCommand.leakingEnding(of: scenario)
    let laboratory = try Laboratory(for: invocation, in: session, refusesWithoutHeap: true)
    let film = try laboratory.film(ending)
    let step = try invocation.integer("step") ?? film.moments.count
    guard step <= film.moments.count else {
      throw invocation.invalidValue(of: "step", expected: .integer(1...film.moments.count))
    }
    let moment = film.moments[step - 1]
    let graph = (moment.graph ?? OwnershipGraph(nodes: [], edges: [])).sorted
    let cuts = try invocation.positionals.dropFirst().flatMap { word in
      let cuts = graph.cuttables(named: word)
      guard cuts.isEmpty else { return cuts }
      throw invocation.usageError(Self.unknown(word, among: graph.cuttables, step))
    }
    let report = CutReport(graph, cutting: cuts)
    if invocation.choice("format", as: ReportFormat.self) == .json {
      let text = try VersionedJSON.text(of: report, schema: CutReport.schema)
      try session.output.write(text + "\n")
    } else {
      let title = "\(ending.name), after step \(step): \(moment.step.text)"
      let lines = CutLines.lines(of: report, title: title)
      let width = session.terminal(for: invocation).width
      let heading = StyledText(scenario.id, .heading) + StyledText(" · ending \(lines[0].plain)")
      try session.write(
        ([heading] + lines.dropFirst()).flatMap { $0.foldedIfNarrow(to: width) }, for: invocation)
    }
    return film.report.asExpected ? .success : .unexpected
  }

  private static func unknown(_ word: String, among cuts: [Cuttable], _ step: Int) -> String {
    let names = cuts.map { quoted($0.name) }
    return "nothing in the picture after step \(step) is called \(quoted(word)); "
      + (names.isEmpty ? "it is empty." : "it has \(names.joined(separator: ", ")).")
  }
}

/// A computed cut for people.
private enum CutLines {
  /// The lines; the first names the step.
  static func lines(of report: CutReport, title: String) -> [StyledText] {
    let released = report.released.enumerated().map { place, name in
      StyledText("    \(place + 1) \(name)")
    }
    let stays = report.stays.map { stay in
      StyledText("    \(stay.name)") + StyledText(", held by \(stay.because)", .dim)
    }
    return [StyledText(title), StyledText("  computed by reference counting, not measured", .dim)]
      + [StyledText("  cut: \(report.cut.joined(separator: ", "))")]
      + [StyledText(released.isEmpty ? "  nothing goes" : "  this goes, in this order:")] + released
      + (stays.isEmpty ? ["  no object stays"] : ["  these objects stay:"]) + stays
      + (report.collected.isEmpty
        ? [] : ["  a tracing collector would free: \(report.collected.joined(separator: ", "))"])
  }
}
