/// Runs the tasks of a trial, and knows when none of them can run any further.
package protocol Scheduler: Sendable {
  /// Whether the jobs run in the order of their arrival.
  var isFirstInFirstOut: Bool { get }

  /// Returns when no task that a step has started can run any further.
  ///
  /// - Parameters:
  ///   - ledger: the ledger of the run. Its changes show that tasks are still running.
  ///   - condition: what must be true then; nil for nothing.
  /// - Throws: ``SchedulerError`` when rest, or the condition, is not reached.
  func settle(_ ledger: Ledger, until condition: (@Sendable () -> Bool)?) throws(SchedulerError)

  /// Each task that the latest step has left asleep because it polls, as a sentence.
  var pollers: [String] { get }

  /// The time on the virtual clock; nil where time is real.
  var virtualTime: Duration? { get }

  /// Ends what a trial has left to be done later, where that is known. What follows is another trial.
  func endTrial()
}

extension Scheduler {
  /// None: in real time, a task that sleeps is at rest.
  package var pollers: [String] { [] }

  /// Nil: time is real.
  package var virtualTime: Duration? { nil }

  /// Does nothing.
  package func endTrial() {}
}

/// Why a step did not come to rest. Its measurement cannot be trusted.
package enum SchedulerError: Error, Equatable, CustomStringConvertible {
  /// The runtime does not let its executors be replaced.
  case notReplaceable
  /// More jobs ran than a scenario can need.
  case endless(jobs: Int)
  /// The deadline has passed and the counts are still changing.
  case restless
  /// The deadline has passed, and a thread of the pool was never free.
  case blocked
  /// Everything is at rest, but the step's condition is not true.
  case unmet
  /// A task sleeps on a clock of this type, whose durations are not `Duration`.
  case unknownClock(String)

  /// A sentence without its full stop.
  package var description: String {
    switch self {
    case .notReplaceable:
      "this Swift runtime does not let memlab replace its executors; try --scheduler pool"
    case .endless(let jobs):
      "the step has not come to rest after \(jobs) jobs; is there a loop that never waits, or one "
        + "with another task for each sleep? A sleep takes no time on the virtual clock: let it wait "
        + "for a stream that the ending feeds"
    case .restless:
      "the counts are still changing when the deadline passes; is there a loop that never waits? Let "
        + "it wait for a stream that the ending feeds, or end it in this step"
    case .blocked:
      "a thread of the pool is not free when the deadline passes; is there a lock that nobody "
        + "releases, or a loop that never waits? Wait with 'await' instead"
    case .unmet:
      "everything is at rest, but what this step should have brought about has not happened"
    case .unknownClock(let clock):
      "a task sleeps on the clock \(clock), whose durations memlab cannot convert to seconds; use a "
        + "clock whose durations are Swift.Duration"
    }
  }
}
