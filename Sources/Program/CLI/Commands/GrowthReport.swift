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
    let instances = invocation.integer("instances") ?? 1
    let rounds = invocation.integer("rounds") ?? 1
    let laboratory = try Laboratory(for: invocation, in: session, refusesWithoutHeap: true)
    guard let witness = laboratory.witness else { return .untrusted }
    var results: [(ending: Ending, growth: Growth)] = []
    for ending in endings {
      let run = GrowthRun(of: ending, on: laboratory.scheduler, witness: witness)
      let growth = try measure(
        run, "\(scenario.id), ending \(ending.name)", instances: instances, rounds: rounds,
        ProgressLine(on: session.errors))
      results.append((ending, growth))
      if !invocation.wantsJSON {
        try session.write(lines(scenario, ending, growth), for: invocation)
      }
    }
    let isAsExpected = results.allSatisfy { $0.growth.isAsExpected(of: $0.ending) }
    if invocation.wantsJSON {
      let document: JSONObject = [
        "scenario": scenario.id, "endings": results.map { $0.growth.json(of: $0.ending) },
        "asExpected": isAsExpected,
      ]
      try session.output.write(json: document, schema: "memlab.growth/1")
    }
    return isAsExpected ? .success : .unexpected
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
      let style: TextStyle? = index == 0 ? .dim : nil
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

extension Growth {
  /// Whether a leak grew, or a clean ending did not; so, too, where there is no trend.
  fileprivate func isAsExpected(of ending: Ending) -> Bool {
    trend == .unknown || (trend == .grows) == (ending.expects.verdict == .leak)
  }

  fileprivate func json(of ending: Ending) -> JSONObject {
    [
      "ending": ending.name, "instances": instances, "liveBytes": liveBytes,
      "liveBlocks": liveBlocks, "trend": trend.rawValue, "bytesPerInstance": bytesPerInstance,
      "blocksPerInstance": blocksPerInstance, "fit": fit, "asExpected": isAsExpected(of: ending),
    ]
  }
}
