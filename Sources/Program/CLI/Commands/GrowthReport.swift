import MemlabKit
import MemlabTerminalText

/// `memlab run <scenario> --instances N`: what each run leaves behind, measured over rounds.
enum GrowthReport {
  /// Runs the endings and says of each how memory grows.
  ///
  /// - Returns: whether each leak grew and each clean ending did not.
  static func run(
    _ scenario: Scenario, _ endings: [Ending], _ invocation: Invocation, in session: Session
  ) throws -> ExitCode {
    let instances = try invocation.integer("instances") ?? 1
    let rounds = try invocation.integer("rounds") ?? 1
    let laboratory = try Laboratory(for: invocation, in: session, refusesWithoutHeap: true)
    guard let witness = laboratory.witness else { return .untrusted }
    let isJSON = invocation.choice("format", as: ReportFormat.self) == .json
    var results: [GrowthResult] = []
    for ending in endings {
      let run = GrowthRun(of: ending, on: laboratory.scheduler, witness: witness)
      let growth = try measure(
        run, "\(scenario.id), ending \(ending.name)", instances: instances, rounds: rounds,
        ProgressLine(on: session.errors))
      results.append(GrowthResult(ending, growth))
      if !isJSON { try session.write(lines(scenario, ending, growth), for: invocation) }
    }
    let document = GrowthDocument(scenario: scenario.id, endings: results)
    if isJSON {
      try session.output.write(
        VersionedJSON.text(of: document, schema: GrowthDocument.schema) + "\n")
    }
    return document.asExpected ? .success : .unexpected
  }

  private static func measure(
    _ run: GrowthRun, _ name: String, instances: Int, rounds: Int, _ progress: ProgressLine
  ) throws -> Growth {
    defer { progress.clear() }
    return try run.run(instances: instances, rounds: rounds) { round, instance in
      progress.show("\(name): round \(round) of \(rounds), run \(instance) of \(instances)")
    }
  }

  private static func lines(
    _ scenario: Scenario, _ ending: Ending, _ growth: Growth
  ) -> [StyledText] {
    var table = Table(columns: [.number(), .number(), .number()])
    table.add(["round", "live blocks", "live bytes"], style: .dim)
    for (index, bytes) in growth.liveBytes.enumerated() {
      let style: Style? = index == 0 ? .dim : nil
      table.add(["\(index + 1)", "\(growth.liveBlocks[index])", "\(bytes)"], style: style)
    }
    let title = StyledText("\(scenario.id), ending \(ending.name): ", .emphasis)
    return [title + "\(counted(growth.instances, "run")) in each round, the first not counted"]
      + table.lines(indent: 2) + ["  " + verdict(growth), ""]
  }

  private static func verdict(_ growth: Growth) -> StyledText {
    switch growth.trend {
    case .grows:
      let bytes = decimal(growth.bytesPerInstance, places: 1)
      let blocks = decimal(growth.blocksPerInstance, places: 2)
      return StyledText("GROWS", .leaked)
        + StyledText(" by \(bytes) bytes and \(blocks) blocks a run")
        + StyledText(" (r² \(decimal(growth.fit, places: 4)))")
    case .steady: return StyledText("STEADY", .clean) + ": not every round leaves more behind"
    case .unknown:
      return StyledText(
        "no trend is told from fewer than \(Growth.fewestRounds + 1) rounds, the first included")
    }
  }
}

/// How memory grows with the runs of a scenario; encoded, it is the schema `memlab.growth/1`.
struct GrowthDocument: Encodable {
  /// The version of the schema, the first key of the JSON form.
  static let schema = "memlab.growth/1"

  /// The scenario's id.
  let scenario: String
  /// The endings that were run.
  let endings: [GrowthResult]
  /// Whether each leak grew and each clean ending did not.
  let asExpected: Bool

  /// What was measured of a scenario's endings.
  init(scenario: String, endings: [GrowthResult]) {
    (self.scenario, self.endings) = (scenario, endings)
    asExpected = endings.allSatisfy(\.asExpected)
  }
}

/// How memory grows with the runs of one ending.
struct GrowthResult: Encodable {
  /// The ending's name.
  let ending: String
  /// How often it was run in each round.
  let instances: Int
  /// The bytes that were live after each round, the first not counted below.
  let liveBytes: [Int]
  /// The blocks that were live after each round.
  let liveBlocks: [Int]
  /// What the rounds say: `grows`, `steady` or `unknown`.
  let trend: String
  /// The bytes that each run leaves behind.
  let bytesPerInstance: Double
  /// The blocks that each run leaves behind.
  let blocksPerInstance: Double
  /// How well a line fits the counted rounds: r².
  let fit: Double
  /// Whether a leak grew, or a clean ending did not; so, too, where there is no trend.
  let asExpected: Bool

  /// What was measured of an ending.
  init(_ ending: Ending, _ growth: Growth) {
    (self.ending, instances, liveBytes) = (ending.name, growth.instances, growth.liveBytes)
    (liveBlocks, trend) = (growth.liveBlocks, growth.trend.rawValue)
    (bytesPerInstance, blocksPerInstance) = (growth.bytesPerInstance, growth.blocksPerInstance)
    fit = growth.fit
    asExpected =
      growth.trend == .unknown
      || (growth.trend == .grows) == (ending.expects.verdict == .leak)
  }
}
