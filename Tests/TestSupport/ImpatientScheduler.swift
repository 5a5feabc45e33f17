public import MemlabKit

/// A scheduler for steps that set nothing in motion: it looks once.
public struct ImpatientScheduler: Scheduler {
  public let name = "impatient"
  public let isFirstInFirstOut = false

  /// A scheduler that never waits.
  public init() {}

  public func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    if let condition, !condition() { throw .unmet }
  }
}
