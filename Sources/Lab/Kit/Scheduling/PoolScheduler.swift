import CMemlabLab
import Dispatch
import MemlabHeapModel
import MemlabPlatform

/// The runtime's own cooperative pool, several threads wide, with public API alone.
///
/// The runtime does not say when its pool is idle, so memlab infers it. A round gives every thread of
/// the pool a task, and none of these tasks ends before all have begun. The queue is first in, first
/// out, so everything that was in it before the round has begun by then. There is a queue for each
/// priority, and a round for each queue. After ``quietRounds`` rounds in a row without an entry in
/// the ledger, the pool counts as at rest.
///
/// The thread that waits is the main thread. So it also runs what the main actor has to do: before
/// each round, and while it waits for one.
///
/// This can be wrong in two ways, which ``VirtualScheduler`` excludes:
/// - Work that the ledger does not see counts as rest: a chain of more than ``quietRounds`` tasks
///   without a probe, a sleeping task, another thread. A step that waits for such work needs a
///   condition; then the rest that is too early is not believed.
/// - On a very busy machine the threads of a round may not meet within 100 ms. Such a round proves
///   nothing and is repeated. If no round succeeds before the deadline, the step fails with
///   ``SchedulerError/blocked``: there is no measurement, and no wrong one.
package struct PoolScheduler: Scheduler {
  // Each round lets a chain of tasks advance by one; the longest of a scenario has about ten.
  private static let quietRounds = 32
  // In milliseconds. A condition may depend on what is not in the ledger, so it is polled as well.
  private static let pause = 10

  /// False: the order of the jobs is the runtime's.
  package let isFirstInFirstOut = false
  private let deadline: Duration
  private let conditionLimit: Duration
  // A task created outside of any task has its thread's priority, which is high on the main thread.
  // A detached task has the medium one. Nothing in the catalog asks for another.
  private static let priorities = [TaskPriority.high, .medium]
  // The runtime makes one thread for each processor that the process may use.
  private let width = ProcessInfo.processInfo.activeProcessorCount

  /// The pool that every Swift process has.
  ///
  /// - Parameters:
  ///   - deadline: how long to wait for a step that does not come to rest. A step that does never
  ///     waits for it.
  ///   - conditionLimit: how long to wait at rest for a condition that is not met; as long as the deadline
  ///     when nil.
  package init(deadline: Duration = .seconds(5), conditionLimit: Duration? = nil) {
    (self.deadline, self.conditionLimit) = (deadline, conditionLimit ?? deadline)
  }

  /// The same pool for code in which nothing sleeps and which is wrong more often than not: it waits
  /// a moment only for what does not happen.
  package var impatient: PoolScheduler {
    PoolScheduler(deadline: deadline, conditionLimit: .milliseconds(300))
  }

  /// Returns after enough quiet rounds in a row, as the type's description explains.
  ///
  /// - Throws: ``SchedulerError/blocked``, ``SchedulerError/restless`` or ``SchedulerError/unmet``
  ///   when the deadline has passed.
  package func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    let start = ContinuousClock.now
    var (still, quiet) = (0, 0)
    var seen = ledger.changes
    var rest: ContinuousClock.Instant?
    while quiet < Self.quietRounds {
      let allMet = runRound(for: deadline - (ContinuousClock.now - start))
      let changes = ledger.changes
      let isMet = condition?() ?? true
      still = allMet && changes == seen ? still + 1 : 0
      quiet = isMet ? still : 0
      seen = changes
      guard ContinuousClock.now - start <= deadline else {
        guard allMet else { throw .blocked }
        throw isMet || still < Self.quietRounds ? .restless : .unmet
      }
      // Nothing runs, so the condition depends on a sleeping task or on another thread.
      guard !isMet, still >= Self.quietRounds else {
        rest = nil
        continue
      }
      let begin = rest ?? .now
      guard ContinuousClock.now - begin <= conditionLimit else { throw .unmet }
      rest = begin
      ledger.waitForChange(after: seen, milliseconds: Self.pause)
    }
  }

  /// Sends a round of tasks through each queue of the pool and waits for the last of them.
  ///
  /// - Parameter limit: how long to wait; at least 200 ms.
  /// - Returns: whether every thread of the pool took part. A thread that is blocked by other code
  ///   cannot; the round then proves nothing.
  private func runRound(for limit: Duration) -> Bool {
    runMainQueue()
    let meetings = Self.priorities.map { _ in Rendezvous(parties: width) }
    let round = DispatchGroup()
    for (priority, meeting) in zip(Self.priorities, meetings) {
      for _ in 0..<width {
        round.enter()
        // One of these may not have been freed yet when the heap is read, and must not appear there.
        HeapRecording.withoutRecording {
          _ = Task.detached(priority: priority) {
            meeting.wait(milliseconds: 100)
            round.leave()
          }
        }
      }
    }
    let isOver = wait(for: round, until: .now + max(limit, .milliseconds(200)))
    return isOver && meetings.allSatisfy(\.isComplete)
  }

  // A task of the round may be behind code that waits for the main thread.
  private func wait(for round: DispatchGroup, until end: ContinuousClock.Instant) -> Bool {
    while round.wait(timeout: .now() + .milliseconds(Self.pause)) == .timedOut {
      guard ContinuousClock.now < end else { return false }
      runMainQueue()
    }
    return true
  }

  private func runMainQueue() { if memlab_main_queue_is_own() { memlab_main_queue_run() } }
}
