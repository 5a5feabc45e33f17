import MemlabHeapModel
package import MemlabKit

/// Puts the learner's code through the endings of an exercise, each in a process of its own.
///
/// Where the platform can copy a process, the learner's code runs in the copy and the verdict is the
/// parent's. Code that exits, crashes, makes no progress or prints "SOLVED" cannot change it, and
/// what one ending leaves behind is not there in the next.
package final class ExerciseRun {
  /// What trials run on.
  package typealias Equipment = (scheduler: any Scheduler, witness: (any HeapWitness)?)

  private let endings: [Ending]
  private let work: IsolatedWork<ChildResult>
  private var place = 0

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - endings: what to go through.
  ///   - detail: how much to find out about the heap.
  ///   - isApart: whether each ending has a process of its own.
  ///   - limit: how long the code of a step may make no progress; nil for any time.
  ///   - isSingleThreaded: whether the equipment needs no other thread, so that copies can have it.
  ///   - measuresGrowth: whether an ending that is solved is run again, to see what each run leaves, and
  ///     whether the next one finds it.
  ///   - equip: makes what trials run on.
  /// - Throws: what `equip` throws.
  package init(
    _ endings: [Ending], detail: HeapDetail, isApart: Bool, limit: Duration?,
    isSingleThreaded: Bool, measuringGrowth measuresGrowth: Bool = true,
    equip: @escaping () throws -> Equipment
  ) throws {
    self.endings = endings
    let made = isSingleThreaded || !isApart ? try equip() : nil
    work = IsolatedWork(
      groups: endings.indices.map { $0..<($0 + 1) }, isApart: isApart,
      width: isSingleThreaded ? Isolation.width : 1, limit: limit,
      work: { place in
        do {
          if isApart {
            Watchdog.leaveOutBacktrace()
            // Code that uses what is gone must not find it as it was.
            HeapRecording.spoilFrees()
          }
          return ChildResult(
            of: endings[place], detail, on: try made ?? equip(), measuringGrowth: measuresGrowth)
        } catch {
          return .stopped("\(error)")
        }
      },
      standstill: { _, error in .stopped(error.reason) })
  }

  /// What came of the next ending; waits for it.
  package func next() -> JudgedEnding {
    defer { place += 1 }
    return JudgedEnding(endings[place], work.next())
  }
}

extension ExerciseFailure {
  /// Why a process has left no result.
  fileprivate static func lost(_ end: ChildEnd, _ place: StepPlace) -> ExerciseFailure {
    if case .exited(let code) = end { return .ended(code: code, place) }
    return .signalled(reason: end.reason, place)
  }
}

/// What a child tells its parent.
private enum ChildResult: Codable, Sendable {
  case measured(TrialReport, later: LaterRuns)
  case stopped(String)

  init(
    of ending: Ending, _ detail: HeapDetail, on equipment: ExerciseRun.Equipment,
    measuringGrowth measuresGrowth: Bool
  ) {
    let scheduler: any Scheduler =
      switch equipment.scheduler {
      case let pool as PoolScheduler: pool.impatient
      case let virtual as VirtualScheduler: virtual.forbiddingPolling
      default: equipment.scheduler
      }
    let trial = Trial(of: ending, on: scheduler, witness: equipment.witness, detail: detail)
    do {
      let report = try trial.run()
      let isRunAgain = measuresGrowth && report.isSolved
      self = .measured(
        report, later: isRunAgain ? try Self.laterRuns(of: ending, equipment) : .same)
    } catch {
      self = .stopped(error.reason)
    }
  }

  // What a run leaves to a static property has no probe, and is in no retain cycle.
  private static func laterRuns(
    of ending: Ending, _ equipment: ExerciseRun.Equipment
  ) throws(TrialError) -> LaterRuns {
    guard let witness = equipment.witness, equipment.scheduler is VirtualScheduler else {
      return .same
    }
    var differences: [String] = []
    let growth = try GrowthRun(of: ending, on: equipment.scheduler, witness: witness)
      .run(
        instances: 1, rounds: Growth.fewestRounds + 2,
        judge: { totals in
          guard differences.isEmpty else { return }
          differences = ending.expects.differences(from: totals, verdict: ending.judge(totals))
        })
    if !differences.isEmpty { return .differ(differences) }
    return growth.trend == .grows ? .grow(max(1, Int(growth.blocksPerInstance.rounded()))) : .same
  }
}

/// What came of one ending of an exercise.
package struct JudgedEnding: Sendable {
  /// The ending.
  package let ending: Ending
  /// What was measured; nil when the code did not get through the steps.
  package let trial: TrialReport?
  /// What came of running it again; the same where that was not tried.
  package let later: LaterRuns
  /// Why nothing was measured; nil when it was.
  package let failure: ExerciseFailure?
  /// What the learner's code has printed; empty where it went to the program's outputs at once.
  package let written: String
  /// How long it took, in real time.
  package let duration: Duration

  fileprivate init(_ ending: Ending, _ isolated: Isolated<ChildResult>) {
    let place = StepPlace(step: isolated.step, text: isolated.stepText)
    (self.ending, written, duration) = (ending, isolated.written, isolated.duration)
    switch isolated.value {
    case .measured(let trial, let later): (self.trial, self.later, failure) = (trial, later, nil)
    case .stopped(let reason):
      (trial, later, failure) = (nil, .same, .stopped(reason: reason, place))
    case nil: (trial, later, failure) = (nil, .same, .lost(isolated.end, place))
    }
  }

  /// Whether everything is as it should be.
  package var isSolved: Bool { later == .same && trial?.isSolved == true }
}

/// What came of running an ending again, in the same process, after it was as it should be.
package enum LaterRuns: Codable, Sendable, Equatable {
  /// It was as it should be each time.
  case same
  /// Each run has left so many more blocks of memory behind.
  case grow(Int)
  /// A later run has measured something else, as sentences.
  case differ([String])
}

/// Why an ending of an exercise has no measurement.
package enum ExerciseFailure: Error, Codable, Sendable, Equatable {
  /// The learner's process ended by itself, with this code, in this step.
  case ended(code: Int32, StepPlace)
  /// A signal ended it: a crash, unless something outside has killed it.
  case signalled(reason: String, StepPlace)
  /// A step did not come to rest, or the witnesses disagree.
  case stopped(reason: String, StepPlace)
}

/// A step of an ending that was not finished.
package struct StepPlace: Codable, Sendable, Equatable {
  /// Its number, from 1; 0 before the first.
  package let step: Int
  /// What it does; empty where that is not known.
  package let text: String

  /// A step as a sentence names it: `step 3, “the song is asked for its playlist”`.
  package var description: String {
    text.isEmpty ? "step \(max(step, 1))" : "step \(step), “\(text)”"
  }
}

extension TrialReport {
  /// Whether one run was as it should be, as far as it shows.
  var isSolved: Bool { asExpected && unseenCycles == 0 }

  /// Retain cycles of objects without a probe, in an ending after which nothing may be left.
  var unseenCycles: Int { aliveObjects + liveTasks == 0 ? heap?.cycles ?? 0 : 0 }
}
