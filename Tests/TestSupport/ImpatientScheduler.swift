package import MemlabKit

/// A scheduler for steps that set nothing in motion: it looks once.
package struct ImpatientScheduler: Scheduler {
  package let isFirstInFirstOut = false

  /// A scheduler that never waits.
  package init() {}

  package func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) { if let condition, !condition() { throw .unmet } }
}
