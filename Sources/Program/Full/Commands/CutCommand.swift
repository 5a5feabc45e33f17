import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// `memlab cut <scenario> <edge> …`: what would go without a reference, computed.
enum CutCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let ending = try invocation.ending(of: scenario) ?? GraphCommand.leakingEnding(of: scenario)
    let laboratory = try Laboratory(for: invocation, in: session, refusesWithoutHeap: true)
    let film = try laboratory.film(ending)
    let (step, text, picture) = try invocation.step(of: film)
    let graph = picture.sorted
    let cuts = try invocation.positionals.dropFirst().flatMap { word in
      let cuts = graph.cuttables(named: word)
      guard cuts.isEmpty else { return cuts }
      throw invocation.usageError(Self.unknown(word, among: graph.cuttables, step))
    }
    let report = CutReport(graph, cutting: cuts)
    try session.answer(invocation, json: report, schema: CutReport.schema) { _ in
      let title = " · ending \(ending.name), after step \(step): \(text)"
      return [StyledText(scenario.id, .heading) + StyledText(title)] + lines(of: report)
    }
    return film.report.asExpected ? .success : .unexpected
  }

  private static func unknown(_ word: String, among cuts: [Cuttable], _ step: Int) -> String {
    let names = cuts.map { quoted($0.name) }
    return "nothing in the picture after step \(step) is called \(quoted(word)); "
      + (names.isEmpty ? "it is empty." : "it has \(names.joined(separator: ", ")).")
  }

  /// A computed cut for people.
  private static func lines(of report: CutReport) -> [StyledText] {
    let released = report.released.enumerated().map { place, name in
      StyledText("    \(place + 1) \(name)")
    }
    let stays = report.stays.map { stay in
      StyledText("    \(stay.name)") + StyledText(", held by \(stay.because)", .dim)
    }
    return [StyledText("  computed by reference counting, not measured", .dim)]
      + [StyledText("  cut: \(report.cut.joined(separator: ", "))")]
      + [StyledText(released.isEmpty ? "  nothing goes" : "  this goes, in this order:")] + released
      + (stays.isEmpty ? ["  no object stays"] : ["  these objects stay:"]) + stays
      + (report.collected.isEmpty
        ? [] : ["  a tracing collector would free: \(report.collected.joined(separator: ", "))"])
  }
}
