import MemlabHeapModel

/// Runs an ending many times over and reads after each round how much memory is live.
package struct GrowthRun: Sendable {
  private let ending: Ending
  private let scheduler: any Scheduler
  private let witness: HeapWitness

  /// A run of an ending; the witness has shown that the heap is recorded here.
  package init(of ending: Ending, on scheduler: any Scheduler, witness: HeapWitness) {
    self.ending = ending
    self.scheduler = scheduler
    self.witness = witness
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
    witness.start()
    defer { witness.stop() }
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
      return (ledger, Lab(ledger: ledger, scheduler: scheduler, observe: { _ in }))
    }
    defer { AppWide.release(after: ledger) }
    try lab.play(ending) { try scheduler.settle(ledger, until: nil) }
    HeapRecording.withoutRecording { judge(ledger.totals) }
  }
}
