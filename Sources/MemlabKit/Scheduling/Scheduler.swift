/// Brings what a step has set in motion to rest.
package protocol Scheduler: Sendable {
  /// The name under which `--scheduler` knows it.
  var name: String { get }
  /// Whether the jobs run in the order of their arrival.
  var isFirstInFirstOut: Bool { get }

  /// Returns once nothing that was set in motion can run any further.
  ///
  /// - Parameters:
  ///   - ledger: the ledger of the run, whose changes tell a scheduler that work is going on.
  ///   - condition: what the step is to bring about; nil when it promises nothing.
  /// - Throws: ``SchedulerError`` when rest, or the condition, is not reached.
  func settle(_ ledger: Ledger, until condition: (@Sendable () -> Bool)?) throws(SchedulerError)
}

/// Why a step could not be brought to rest; the measurement is not to be trusted then.
package enum SchedulerError: Error, Equatable, CustomStringConvertible {
  /// The runtime does not let its executors be replaced.
  case notReplaceable
  /// More jobs ran than a scenario can need.
  case endless(jobs: Int)
  /// The deadline has passed and the counts are still changing.
  case restless
  /// The deadline has passed, and not all of the pool's threads have been free.
  case blocked
  /// Everything is at rest, but what the step should have brought about has not happened.
  case unmet

  package var description: String {
    switch self {
    case .notReplaceable:
      "this Swift runtime does not let memlab replace its executors; try --scheduler pool"
    case .endless(let jobs):
      "the step has not come to rest after \(jobs) jobs; is there a loop that never waits?"
    case .restless:
      "the counts are still changing when the deadline passes"
    case .blocked:
      "a thread of the pool is not free when the deadline passes; is there a lock that nobody "
        + "releases, or a loop that never waits?"
    case .unmet:
      "everything is at rest, but what this step should have brought about has not happened"
    }
  }
}
