import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab hunt [scenario …]`: what endings leave behind that no scenario declares.
enum HuntCommand: Command {
  static let measuresMany = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    // `check --hunt` has neither.
    let isOwn = invocation.command == "hunt"
    if isOwn, invocation.isGiven("replay") { return try replay(invocation, in: session) }
    let items = try CheckSelection(invocation, in: session).selected
    let films = try EndingMeasurements(
      items, MeasurementRequest(ofUndeclared: .everyStep()), in: session
    ).films(in: session)
    let declared = Dictionary(grouping: films, by: \.scenario.id).mapValues { films in
      Set(films.map { Remains($0.film.report) })
    }
    let tried = films.flatMap { filmed in Variation.all(of: filmed.film).map { (filmed, $0) } }
    // A task that asks again and again whether it is cancelled never comes to rest.
    var impatient = session
    impatient.standstillLimit = .seconds(2)
    let measurements = try EndingMeasurements(
      tried.map { filmed, variation in (filmed.scenario, filmed.ending.varied(by: variation)) },
      MeasurementRequest(ofUndeclared: .result(.holders)), in: impatient)
    var catches: [String: Catch] = [:]
    for ((scenario, ending, film), variation) in tried {
      let varied = try measurements.film(in: session, showingCrashes: false)
      let step = film.moments[variation.step - 1].step.text
      catches[scenario.id, default: Catch(of: scenario, declared[scenario.id] ?? [])]
        .add(varied.map(\.report), ending, variation, of: step)
    }
    let found = items.map(\.scenario.id).uniqued().compactMap { catches[$0] }
    if isOwn, invocation.wantsJSON {
      let object: JSONObject = ["scenarios": found.map(\.json)]
      try session.output.write(json: object, schema: "memlab.hunt/1")
    } else {
      let width = session.terminal(for: invocation).width
      let lines = Array(found.map { $0.lines(program: invocation.program) }.joined(separator: [""]))
      try session.write(lines.flatMap { $0.foldedIfNarrow(to: width) }, for: invocation)
    }
    guard films.count == items.count else { return .untrusted }
    return found.allSatisfy(\.isAsKnown) ? .success : .unexpected
  }

  private static func replay(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let text = invocation.value("replay"), let variation = Variation(text) else {
      throw invocation.usageError(
        "'--replay' takes a line of 'memlab hunt', such as 2:stop, 2:cancel:reader or "
          + "2:drop+stop:planet.")
    }
    let scenario = invocation.positionals.first.map(session.scenario)
    guard invocation.positionals.count == 1, let scenario,
      let ending = try invocation.ending(of: scenario)
    else {
      throw invocation.usageError(
        "'--replay' is about one ending. Name one scenario and, with '--ending', one of its endings."
      )
    }
    guard !invocation.wantsJSON else { throw invocation.usageError("'--replay' reports as text.") }
    let films = try EndingMeasurements(
      [(scenario, ending)], MeasurementRequest(ofUndeclared: .everyStep()), in: session
    ).films(in: session)
    guard let film = films.first?.film else { return .untrusted }
    let ways = Variation.all(of: film).map(\.text)
    guard ways.contains(variation.text) else {
      throw invocation.usageError(
        "The ending '\(ending.name)', of \(counted(film.moments.count, "step")), cannot go on with "
          + "\(quoted(text)).", suggestions: nearest(to: text, among: ways))
    }
    let laboratory = try Laboratory(on: .default, in: session, refusesWithoutHeap: true)
    let reporter = TextReporter(
      output: session.output, terminal: session.terminal(for: invocation),
      program: invocation.program, showsCost: false, recorded: session.recorded(scenario))
    let trial = try laboratory.run(ending.varied(by: variation)) { reporter.step($0) }
    let width = session.terminal(for: invocation).width
    try session.write(
      [""] + ChainLines.lines(for: trial, width: width)
        + [StyledText(VerdictLines.summary(of: trial), .emphasis)], for: invocation)
    return trial.verdict == .leak ? .unexpected : .success
  }
}

/// What an ending leaves behind: each thing with who holds it.
private struct Remains: Hashable {
  let left: [String]

  init(_ trial: TrialReport) {
    let objects = (trial.heap?.paths ?? []).map { "\($0.type), held by \($0.holder)" }
    let tasks = trial.tasks.filter { $0.live > 0 }.map { "task \($0.name), which has not finished" }
    left = (objects + tasks).uniqued().sorted()
  }
}

/// What was found of one scenario.
private struct Catch {
  /// One way to leave something behind that no ending declares.
  struct Way {
    let ending: Ending
    let variation: Variation
    let step: String
    let remains: Remains
    /// All ways that leave the same, by name.
    var names: Set<String>
  }

  let scenario: Scenario
  private let declared: Set<Remains>
  private var tried = 0
  private var clean = 0
  private var asDeclared = 0
  private var unmeasured = 0
  private var endings: Set<String> = []
  private(set) var ways: [Way] = []

  init(of scenario: Scenario, _ declared: Set<Remains>) {
    (self.scenario, self.declared) = (scenario, declared)
  }

  /// Notes what came of a variation; of several that leave the same, the shortest is kept.
  mutating func add(
    _ result: Result<TrialReport, SentenceError>, _ ending: Ending, _ variation: Variation,
    of step: String
  ) {
    tried += 1
    endings.insert(ending.name)
    switch (try? result.get()).map(Remains.init) {
    case nil: unmeasured += 1
    case let remains? where remains.left.isEmpty: clean += 1
    case let remains? where declared.contains(remains): asDeclared += 1
    case let remains?:
      var way = Way(
        ending: ending, variation: variation, step: step, remains: remains,
        names: ["\(ending.name) \(variation.text)"])
      guard let place = ways.firstIndex(where: { $0.remains == remains }) else {
        return ways.append(way)
      }
      way.names.formUnion(ways[place].names)
      ways[place].names = way.names
      if variation.length < ways[place].variation.length { ways[place] = way }
    }
  }

  /// Whether all that was found is known, and all that is known was found.
  var isAsKnown: Bool { gone.isEmpty && ways.allSatisfy { reason(for: $0) != nil } }

  private func reason(for way: Way) -> String? {
    way.names.sorted().lazy.compactMap { scenario.knownWays[$0] }.first
  }

  /// Ways that are said to leave something, and do not, or leave what is declared.
  private var gone: [String] {
    scenario.knownWays.keys.filter { name in
      endings.contains { name.hasPrefix($0 + " ") } && !ways.contains { $0.names.contains(name) }
    }.sorted()
  }

  func lines(program: String) -> [StyledText] {
    let rest = unmeasured > 0 ? ", \(unmeasured) crashed or never came to rest" : ""
    let title =
      StyledText(scenario.id, .heading)
      + StyledText(
        ": of \(tried) endings that nobody wrote, \(clean) left nothing, \(asDeclared) left what is "
          + "declared\(rest)")
    let stale = gone.map { name in
      StyledText("  \(quoted(name)) is known, and leaves nothing else any more: remove it", .leaked)
    }
    return [title] + ways.flatMap { lines(of: $0, program) } + stale
  }

  private func lines(of way: Way, _ program: String) -> [StyledText] {
    let (variation, reason) = (way.variation, reason(for: way))
    let then = variation.stops && variation.action != .stop ? ", and the steps end" : ""
    let more = way.names.count - 1
    let head =
      (reason == nil ? StyledText("  LEAKS ", .leaked) : StyledText("  known "))
      + StyledText("after step \(variation.step) of '\(way.ending.name)', \(way.step): ")
      + StyledText(variation.inWords + then, .emphasis)
      + StyledText(more > 0 ? "; and in \(counted(more, "other way"))" : "")
    let replay =
      "\(program) hunt \(scenario.id) --ending \(way.ending.name.quotedForShell) --replay "
      + variation.text.quotedForShell
    return [head] + way.remains.left.map { StyledText("    \($0)") }
      + (reason.map { [StyledText("    because \($0)")] } ?? [])
      + [StyledText("    \(replay)", .dim)]
  }

  var json: JSONObject {
    [
      "scenario": scenario.id, "tried": tried, "clean": clean, "declared": asDeclared,
      "unmeasured": unmeasured, "gone": gone,
      "leaks": ways.map { way -> JSONObject in
        [
          "ending": way.ending.name, "replay": way.variation.text, "step": way.step,
          "then": way.variation.inWords, "stops": way.variation.stops, "left": way.remains.left,
          "ways": way.names.sorted(), "known": reason(for: way),
        ]
      },
    ]
  }
}
