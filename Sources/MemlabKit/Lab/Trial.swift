import HeapGraph

/// One ending of one scenario, run once under one scheduler and watched by the witnesses.
package struct Trial: Sendable {
  private let ending: Ending
  private let scheduler: any Scheduler
  private let witness: HeapWitness?
  private let detail: HeapDetail

  /// A trial of an ending.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - scheduler: what runs it.
  ///   - witness: what reads the heap; nil where it cannot be read.
  ///   - detail: how much the report is to say of the heap.
  package init(
    of ending: Ending, on scheduler: any Scheduler, witness: HeapWitness? = nil,
    detail: HeapDetail = .everything
  ) {
    self.ending = ending
    self.scheduler = scheduler
    self.witness = witness
    self.detail = detail
  }

  /// Runs the steps and measures what is left when all of them are over.
  ///
  /// - Parameter observe: called after each step, on the lab's own thread.
  /// - Throws: ``TrialError`` when a step cannot be brought to rest, or when the witnesses disagree.
  package func run(
    observe: @escaping @Sendable (StepRecord) -> Void = { _ in }
  ) throws(TrialError) -> TrialReport {
    try run(in: Ledger(), observe: observe)
  }

  /// Runs the steps in a ledger that is also read elsewhere.
  private func run(
    in ledger: Ledger, observe: @escaping @Sendable (StepRecord) -> Void
  ) throws(TrialError) -> TrialReport {
    // What is read and let go of when the steps are over belongs to the trial as well.
    defer { Watchdog.leave() }
    witness?.start()
    defer { witness?.stop() }
    let lab = HeapRecording.withoutRecording {
      Lab(ledger: ledger, scheduler: scheduler, observe: observe)
    }
    defer { AppWide.release(after: ledger) }
    try lab.play(ending) { try comeToRest(ledger) }
    let measurement = Measurement(totals: ledger.totals, heap: try readHeap(ledger, lab))
    return TrialReport(
      ending: ending, steps: lab.steps, measurement: measurement,
      brokenPromises: lab.brokenPromises, inOrder: scheduler.isFirstInFirstOut)
  }

  /// Runs the steps and keeps what both witnesses say after each of them.
  ///
  /// - Throws: ``TrialError`` as ``run(observe:)`` does, also when the witnesses disagree after a
  ///   step.
  package func film() throws(TrialError) -> Film {
    let ledger = Ledger()
    let camera = Camera(ledger: ledger, witness: witness)
    let report = try run(in: ledger) { camera.take($0) }
    do {
      return Film(try camera.moments, report: report)
    } catch {
      throw TrialError(ending, step: camera.count, reason: "\(error)")
    }
  }

  /// Reads the heap and holds it against the ledger.
  private func readHeap(_ ledger: Ledger, _ lab: Lab) throws(TrialError) -> HeapReport? {
    guard let witness else { return nil }
    do {
      let report = try witness.read(ledger.types, detail: detail)
      let disagreements = Disagreement.all(between: ledger.totals, and: report)
      guard disagreements.isEmpty else { throw Disagreement(sentences: disagreements) }
      return report
    } catch {
      throw TrialError(ending, step: lab.steps.count, reason: "\(error)")
    }
  }

  /// Lets everything end that is going to end.
  ///
  /// A scheduler that cannot see rest is told what to look for; if that does not come about, what
  /// has come about is measured.
  private func comeToRest(_ ledger: Ledger) throws {
    let declared = ending.expects
    do {
      try scheduler.settle(ledger) { declared.isMet(by: ledger.totals) }
    } catch SchedulerError.unmet {}
  }
}
