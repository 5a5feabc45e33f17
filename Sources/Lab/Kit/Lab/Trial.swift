import MemlabHeapModel

/// One ending of one scenario, run once on one scheduler and measured by both witnesses.
package struct Trial: Sendable {
  private let ending: Ending
  private let scheduler: any Scheduler
  private let witness: (any HeapWitness)?
  private let detail: HeapDetail

  /// A trial of an ending.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - scheduler: what runs it.
  ///   - witness: what reads the heap; nil where it cannot be read.
  ///   - detail: how much the report says of the heap.
  package init(
    of ending: Ending, on scheduler: any Scheduler, witness: (any HeapWitness)? = nil,
    detail: HeapDetail = .everything
  ) {
    (self.ending, self.scheduler, self.witness, self.detail) = (ending, scheduler, witness, detail)
  }

  /// Runs the steps and measures what is left after the last one.
  ///
  /// - Parameters:
  ///   - ledger: what the probes report to; one of its own, unless the caller reads it as well.
  ///   - observe: called after each step, on the lab's own thread.
  /// - Throws: ``TrialError`` when a step cannot be brought to rest, or when the witnesses disagree.
  package func run(
    in ledger: Ledger = Ledger(), observe: @escaping @Sendable (StepRecord) -> Void = { _ in }
  ) throws(TrialError) -> TrialReport {
    // The measurement and the release of sources after the last step are part of the trial as well.
    defer { Watchdog.leave() }
    if witness != nil { HeapRecording.start() }
    defer { if witness != nil { HeapRecording.stop() } }
    let lab = HeapRecording.withoutRecording {
      Lab(ledger: ledger, scheduler: scheduler, witness: witness, observe: observe)
    }
    defer { scheduler.endTrial() }
    defer { AppWide.release(after: ledger) }
    let (start, declared) = (scheduler.virtualTime, ending.expects)
    try lab.play(ending) {
      // Until all tasks that can end have ended. A scheduler that must infer rest waits for the declared
      // counts. If they are not reached, what there is at its deadline is measured.
      do {
        try scheduler.settle(ledger) { declared.isMet(by: ledger.totals) }
      } catch SchedulerError.unmet {}
    }
    let sleeps = timePassed(since: start)
    let measurement = Measurement(totals: ledger.totals, heap: try readHeap(ledger, lab))
    return TrialReport(
      ending: ending, steps: lab.steps, measurement: measurement,
      brokenPromises: lab.brokenPromises + sleeps + replacedFigures(in: ledger),
      inOrder: scheduler.isFirstInFirstOut)
  }

  // No judge sleeps, so only the learner's code moves the clock.
  private func timePassed(since start: Duration?) -> [String] {
    guard ending.isJudged, let start, let end = scheduler.virtualTime, end > start else {
      return []
    }
    return [
      "Your code sleeps, for \(end - start) on the virtual clock. Nothing in this exercise takes "
        + "time: wait for the event itself."
    ]
  }

  private func replacedFigures(in ledger: Ledger) -> [String] {
    guard ending.isJudged else { return [] }
    return ledger.rewritten.sorted().map {
      "\($0) was set twice, to different values. Only the judge sets its figures: leave "
        + "setMetric out of your code."
    }
  }

  /// Runs the steps and keeps what both witnesses report after each of them.
  ///
  /// - Parameter requiresNames: whether each variable of the ending that holds an object has to be a
  ///   ``Variable``. Otherwise all others are drawn as one, which has no name.
  /// - Throws: ``TrialError`` as ``run(in:observe:)`` does, also when the witnesses disagree after a
  ///   step.
  package func film(requiringNames requiresNames: Bool = false) throws(TrialError) -> Film {
    let ledger = Ledger()
    let others = ending.unnamedVariables ?? (requiresNames ? nil : "without a name")
    let shots = Guarded(Result<[Shot], TrialError>.success([]))
    let report = try run(in: ledger) { step in
      // The heap's recorder does not see this memory: it is memlab's, not the pattern's.
      HeapRecording.withoutRecording {
        let next = Result { () throws(TrialError) in
          try shot(after: step, in: ledger, unnamedVariables: others)
        }
        // The first failure stays: after it, there is no film.
        shots.withLock { shots in shots = shots.flatMap { taken in next.map { taken + [$0] } } }
      }
    }
    return Film(try shots.withLock { $0 }.get(), report: report)
  }

  /// Reads what both witnesses report after a step, and compares it.
  private func shot(
    after step: StepRecord, in ledger: Ledger, unnamedVariables: String?
  ) throws(TrialError) -> Shot {
    do {
      let totals = ledger.totals
      guard let glance = try witness?.glance(ledger.types, variables: ledger.variables) else {
        return Shot(step: step, totals: totals)
      }
      let map = unnamedVariables.map(glance.map.holdingTheRest) ?? glance.map
      let disagreements =
        Disagreement.all(between: totals, and: glance.report, isOver: false)
        + Disagreement.unaccounted(in: map)
      guard disagreements.isEmpty else { throw Disagreement(sentences: disagreements) }
      return Shot(step: step, totals: totals, heap: glance.report, map: map)
    } catch {
      throw TrialError(ending, step: step.index, reason: "\(error)")
    }
  }

  /// Reads the heap and compares it with the ledger.
  private func readHeap(_ ledger: Ledger, _ lab: Lab) throws(TrialError) -> HeapReport? {
    guard let witness else { return nil }
    do {
      let report = try witness.read(ledger.types, detail: detail)
      let disagreements = Disagreement.all(
        between: ledger.totals, and: report, uncounted: ending.libraryTasks)
      guard disagreements.isEmpty else { throw Disagreement(sentences: disagreements) }
      return report
    } catch {
      throw TrialError(ending, step: lab.steps.count, reason: "\(error)")
    }
  }
}

/// Everything that is known at the end of a trial.
public struct Measurement: Sendable {
  /// What the ledger counted.
  public let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?

  /// How many retain cycles the heap has; nil where it cannot be read.
  public var cycles: Int? { heap?.cycles }

  /// The count of one type.
  public func object(_ type: String) -> ObjectCount { totals.object(type) }

  /// The count of one task name.
  public func task(_ name: String) -> TaskCount { totals.task(name) }

  /// A scenario's own figure; zero when it was not entered.
  public func metric(_ name: Metric) -> Int { totals.metrics[name, default: 0] }
}

/// A step failed, so that there is no measurement of the trial.
package struct TrialError: Error, CustomStringConvertible {
  /// The step that failed.
  package let place: TrialPlace
  /// Why it failed, as a sentence.
  package let reason: String

  /// An error at a step of an ending, counted from 1.
  package init(_ ending: Ending, step: Int, reason: String) {
    self.init(TrialPlace(ending, step: step), reason: reason)
  }

  /// An error at this place.
  init(_ place: TrialPlace, reason: String) { (self.place, self.reason) = (place, reason) }

  /// A sentence without its full stop.
  package var description: String { "\(place): \(reason)" }
}

/// How far a trial has come.
package struct TrialPlace: Sendable, CustomStringConvertible {
  /// The scenario or the exercise; nil for an ending that belongs to none.
  package let owner: String?
  /// The ending's name.
  package let ending: String
  /// The step's place in the trial, from 1.
  package internal(set) var step: Int
  /// What the step does, once it has begun; nil before.
  package internal(set) var text: String?

  /// A step of an ending, counted from 1.
  init(_ ending: Ending, step: Int) {
    (owner, self.ending, self.step) = (ending.owner, ending.name, step)
  }

  /// The place as errors name it: "strong-self, ending 'drop', step 2".
  package var description: String {
    let start = owner.map { "\($0), " } ?? ""
    return "\(start)ending '\(ending)', step \(step)"
  }
}
