import MemlabHeapModel

/// Whether memory grows with the number of times that a pattern is run, and by how much.
package struct Growth: Sendable, Equatable {
  /// What the rounds say.
  package enum Trend: String, Sendable {
    /// Each round after the first has left more blocks than the round before.
    case grows
    /// After at least one round, there were no more blocks than before.
    case steady
    /// There are too few rounds to tell.
    case unknown
  }

  /// How many rounds it takes to call a trend, the first one not counted.
  package static let fewestRounds = 4

  /// How often the pattern was run in each round.
  package let instances: Int
  /// The bytes that were live after each round.
  package let liveBytes: [Int]
  /// The blocks that were live after each round.
  package let liveBlocks: [Int]

  /// Readings taken after each round.
  package init(instances: Int, liveBytes: [Int], liveBlocks: [Int]) {
    (self.instances, self.liveBytes, self.liveBlocks) = (instances, liveBytes, liveBlocks)
  }

  // The first round includes what is made only once: caches, metadata, the first slabs.
  private var countedBytes: ArraySlice<Int> { liveBytes.dropFirst() }
  private var countedBlocks: ArraySlice<Int> { liveBlocks.dropFirst() }

  /// What the rounds say; the first is dropped.
  package var trend: Trend {
    // Blocks and not bytes: a buffer that grows somewhere is no leak.
    guard countedBlocks.count >= Self.fewestRounds else { return .unknown }
    return zip(countedBlocks, countedBlocks.dropFirst()).allSatisfy { $0 < $1 } ? .grows : .steady
  }

  /// The bytes that each run leaves behind: the slope of the line through the counted rounds.
  package var bytesPerInstance: Double { Self.line(countedBytes).slope / Double(instances) }

  /// The blocks that each run leaves behind.
  package var blocksPerInstance: Double { Self.line(countedBlocks).slope / Double(instances) }

  /// How well a line fits the counted rounds: r², from 0 to 1; 1 where nothing varies.
  package var fit: Double { Self.line(countedBytes).fit }

  private static func line(_ values: ArraySlice<Int>) -> (slope: Double, fit: Double) {
    guard values.count > 1 else { return (0, 1) }
    let mean = Double(values.reduce(0, +)) / Double(values.count)
    let middle = Double(values.count - 1) / 2
    let points = values.enumerated().map { (x: Double($0) - middle, y: Double($1) - mean) }
    func sum(_ term: ((x: Double, y: Double)) -> Double) -> Double {
      points.reduce(0) { $0 + term($1) }
    }
    let (product, square, spread) = (sum { $0.x * $0.y }, sum { $0.x * $0.x }, sum { $0.y * $0.y })
    return (product / square, spread > 0 ? product * product / (square * spread) : 1)
  }
}

/// Runs an ending many times over and reads after each round how much memory is live.
package struct GrowthRun: Sendable {
  private let ending: Ending
  private let scheduler: any Scheduler
  private let witness: any HeapWitness

  /// A run of an ending; the witness has shown that the heap is recorded here.
  package init(of ending: Ending, on scheduler: any Scheduler, witness: any HeapWitness) {
    (self.ending, self.scheduler, self.witness) = (ending, scheduler, witness)
  }

  /// Runs the rounds.
  ///
  /// - Parameters:
  ///   - instances: how often the ending is run in each round.
  ///   - rounds: how many rounds.
  ///   - observe: called before each run with the numbers of its round and of its place there, from
  ///     1; what it allocates is not recorded.
  ///   - judge: called after each run with what it has counted; not recorded either.
  /// - Throws: ``TrialError`` when a step cannot be brought to rest.
  package func run(
    instances: Int, rounds: Int, observe: (_ round: Int, _ instance: Int) -> Void = { _, _ in },
    judge: (Totals) -> Void = { _ in }
  ) throws(TrialError) -> Growth {
    defer { Watchdog.leave() }
    HeapRecording.start()
    defer { HeapRecording.stop() }
    var readings: [(blocks: Int, bytes: Int)] = []
    for round in 1...rounds {
      for instance in 1...instances {
        HeapRecording.withoutRecording { observe(round, instance) }
        try runOnce(judge)
      }
      readings.append(HeapRecording.live)
    }
    return Growth(
      instances: instances, liveBytes: readings.map(\.bytes), liveBlocks: readings.map(\.blocks))
  }

  // What a run leaves behind also holds its ledger, which does not belong to the pattern's cost.
  private func runOnce(_ judge: (Totals) -> Void) throws(TrialError) {
    let (ledger, lab) = HeapRecording.withoutRecording {
      let ledger = Ledger()
      return (ledger, Lab(ledger: ledger, scheduler: scheduler, witness: witness))
    }
    defer { scheduler.endTrial() }
    defer { AppWide.release(after: ledger) }
    try lab.play(ending) { try scheduler.settle(ledger, until: nil) }
    HeapRecording.withoutRecording { judge(ledger.totals) }
  }
}
