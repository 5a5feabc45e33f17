import Dispatch

/// The runtime's own cooperative pool, several threads wide, with public API alone.
///
/// Nobody outside the runtime can see that the pool is idle, so rest is told by sounding it: a
/// round of tasks is sent through every thread, again and again, until many rounds in a row have
/// passed without an entry in the ledger. Work that a step set in motion is older than the rounds
/// and the pool is first in, first out, so the rounds come out behind it.
public struct PoolScheduler: Scheduler {
  // Each round lets the longest chain of hand-overs in a scenario advance by one job or more.
  private static let quietRounds = 64
  private static let tasksPerRound = 8

  public let name = "pool"
  private let deadline: Duration

  /// The pool that every Swift process has.
  ///
  /// - Parameter deadline: how long a step that does not come to rest is given; no other step ever
  ///   waits for it.
  public init(deadline: Duration = .seconds(5)) {
    self.deadline = deadline
  }

  public func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    let start = ContinuousClock.now
    var quiet = 0
    var seen = ledger.changes
    while quiet < Self.quietRounds {
      sound()
      let changes = ledger.changes
      let isMet = condition?() ?? true
      quiet = changes == seen && isMet ? quiet + 1 : 0
      seen = changes
      if ContinuousClock.now - start > deadline { throw isMet ? .restless : .unmet }
    }
  }

  /// Sends a round of tasks through the pool and waits for the last of them.
  private func sound() {
    let round = DispatchGroup()
    for _ in 0..<Self.tasksPerRound {
      round.enter()
      Task.detached {
        await Task.yield()
        round.leave()
      }
    }
    round.wait()
  }
}
