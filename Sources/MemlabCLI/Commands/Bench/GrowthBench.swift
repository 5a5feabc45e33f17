import MemlabKit

/// What a leak leaves behind, and how long it takes, with ever more runs.
enum GrowthBench {
  // The first round is not counted, and a slope needs two.
  private static let rounds = 3
  private static let scenario = "strong-self"
  private static let ending = "cancel"

  /// The leak of document 000, ready to be run.
  ///
  /// - Throws: `BenchError` when there is no such scenario.
  static func run(
    _ session: Session, on scheduler: any Scheduler, _ witness: HeapWitness
  ) throws(BenchError) -> GrowthRun {
    guard let ending = session.scenarios.ending(ending, of: scenario) else {
      throw BenchError("there is no ending '\(ending)' of '\(scenario)' to run")
    }
    return GrowthRun(of: ending, on: scheduler, witness: witness)
  }

  /// Runs an ending this often a round.
  ///
  /// - Throws: What a trial throws.
  static func growth(
    of run: GrowthRun, _ instances: Int, in pair: Duration
  ) throws -> BenchReport.Growth {
    var measured = Growth(instances: instances, liveBytes: [], liveBlocks: [])
    let time = try ProcessorTime.of {
      measured = try run.run(instances: instances, rounds: rounds)
    }
    return .init(
      instances: instances, bytesPerInstance: measured.bytesPerInstance,
      allocationsPerInstance: Double(time / pair) / Double(instances * rounds))
  }
}
