import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// `memlab film <scenario>`: what both witnesses say after each step, for programs.
enum FilmCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let endings = try invocation.endings(among: scenario.endings)
    let reels = try FilmReel.shot([(scenario, endings)], invocation, in: session)
    if let file = invocation.value("html") {
      try session.write(FilmPage.text(of: scenario, reels[0]), to: file)
    } else {
      try session.output.write(json: reels[0], schema: FilmReel.schema)
    }
    return reels.exitCode
  }

  static let measuresMany = true
}

extension FilmReel {
  /// Runs endings, and keeps what is measured after each step.
  ///
  /// - Parameters:
  ///   - subjects: the scenarios, each with the endings to run.
  ///   - invocation: names what they are measured on.
  ///   - session: where what there is to say besides is written.
  /// - Throws: what says that memlab cannot be trusted here.
  static func shot(
    _ subjects: [(scenario: Scenario, endings: [Ending])], _ invocation: Invocation,
    in session: Session
  ) throws -> [FilmReel] {
    let items = subjects.flatMap { subject in subject.endings.map { (subject.scenario, $0) } }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.everyStep(), invocation), in: session)
    try session.note(measurements.remark)
    return try subjects.map { scenario, endings in
      let code = Listing.of(scenario).map { Code(path: $0.path, line: $0.line, text: $0.code) }
      let filmed = try endings.map { ending in
        let film = try measurements.film(in: session)
        if case .failure(let error) = film { try session.errors.write("Error: \(error)\n") }
        return FilmedEnding(ending, of: scenario, film: film)
      }
      return FilmReel(of: scenario, code: code, endings: filmed, remark: measurements.remark)
    }
  }
}

extension [FilmReel] {
  /// Whether every ending was measured, and as declared, as an exit code.
  var exitCode: ExitCode {
    let films = flatMap { $0.endings.map(\.film) }
    guard films.allSatisfy({ $0 != nil }) else { return .untrusted }
    return films.allSatisfy { $0?.report.asExpected ?? false } ? .success : .unexpected
  }
}
