import Dispatch
import FoundationEssentials
import HeapGraph

/// The runtime's own cooperative pool, several threads wide, with public API alone.
///
/// Nobody outside the runtime can see that the pool is idle, so rest is told by sounding it. A
/// round gives every thread of the pool a task, and none of these tasks ends before all have begun:
/// whatever was in the queue before them has run by then, for the queue is first in, first out.
/// There is a queue for each priority, and a round for each queue. When many rounds in a row have
/// passed without an entry in the ledger, the pool is at rest.
package struct PoolScheduler: Scheduler {
  // Each round lets a chain of hand-overs advance by one; a scenario's longest has about ten.
  private static let quietRounds = 32
  // Not all that a step promises is entered in the ledger; what is not is looked for this often.
  private static let pause = 10

  package let name = "pool"
  package let isFirstInFirstOut = false
  private let deadline: Duration
  // A task made outside of any has its thread's priority, which is high on the main thread; a
  // detached one has the middle one. Nothing in the catalog asks for another.
  private static let priorities = [TaskPriority.high, .medium]
  // As many as the runtime makes for a priority: one for each processor that the process may use.
  private let width = ProcessInfo.processInfo.activeProcessorCount

  /// The pool that every Swift process has.
  ///
  /// - Parameter deadline: how long a step that does not come to rest is given; no other step ever
  ///   waits for it.
  package init(deadline: Duration = .seconds(5)) {
    self.deadline = deadline
  }

  package func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    let start = ContinuousClock.now
    var (still, quiet) = (0, 0)
    var seen = ledger.changes
    while quiet < Self.quietRounds {
      let allMet = sound(for: deadline - (ContinuousClock.now - start))
      let changes = ledger.changes
      let isMet = condition?() ?? true
      still = allMet && changes == seen ? still + 1 : 0
      quiet = isMet ? still : 0
      seen = changes
      guard ContinuousClock.now - start <= deadline else {
        guard allMet else { throw .blocked }
        throw isMet || still < Self.quietRounds ? .restless : .unmet
      }
      // Nothing runs, and something is to come: a sleeping task, or another thread.
      if !isMet, still >= Self.quietRounds {
        ledger.waitForChange(after: seen, milliseconds: Self.pause)
      }
    }
  }

  /// Sends a round of tasks through each queue of the pool and waits for the last of them.
  ///
  /// - Parameter limit: how long it is waited for; a round that begins late is given a moment.
  /// - Returns: whether every thread of the pool took part. Somebody else's blocking call can keep
  ///   a thread away, or all of them; the round then proves nothing.
  private func sound(for limit: Duration) -> Bool {
    let meetings = Self.priorities.map { _ in Rendezvous(parties: width) }
    let round = DispatchGroup()
    for (priority, meeting) in zip(Self.priorities, meetings) {
      for _ in 0..<width {
        round.enter()
        // One of these may still be on its way out when the heap is read: it is not to be seen there.
        HeapRecording.withoutRecording {
          _ = Task.detached(priority: priority) {
            meeting.wait(milliseconds: 100)
            round.leave()
          }
        }
      }
    }
    let nanoseconds = max(limit, .milliseconds(200)) / .nanoseconds(1)
    let outcome = round.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    return outcome == .success && meetings.allSatisfy(\.isComplete)
  }
}
