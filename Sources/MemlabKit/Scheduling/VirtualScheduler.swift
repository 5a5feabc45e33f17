/// The deterministic scheduler: one queue, one thread, first in first out, and a virtual clock.
///
/// It replaces the executors of the whole process, so it can be installed once, before the first
/// task.
package struct VirtualScheduler: Scheduler {
  // A scenario needs a few hundred jobs. A million takes under a second, and is no scenario.
  private static let jobLimit = 1_000_000

  /// The name, as `--scheduler` takes it.
  package let name = "virtual"
  /// Whether no chooser is at work.
  package var isFirstInFirstOut: Bool { VirtualExecutors.queue.chooser == nil }

  private var leavesPollers = true

  private init() {}

  /// The same scheduler for code that must not poll: there, a task that sleeps again and again never
  /// comes to rest.
  package var forbiddingPolling: VirtualScheduler {
    var scheduler = self
    scheduler.leavesPollers = false
    return scheduler
  }

  /// The tasks that the latest step has left asleep.
  package var pollers: [String] { VirtualExecutors.queue.pollers }

  /// The time on the clock that each sleep moves.
  package var virtualTime: Duration? { VirtualExecutors.queue.now }

  /// Never wakes what still sleeps.
  package func endTrial() { VirtualExecutors.queue.forgetSleepers() }

  /// Why memlab cannot replace the executors here, as a clause; nil where it can.
  package static var obstacle: String? { VirtualExecutors.obstacle }

  /// Replaces the process's executors with memlab's, and checks that this has taken effect.
  ///
  /// - Throws: ``SchedulerError/notReplaceable`` when a task does not reach memlab's queue: in a
  ///   process whose executors are in use already, or on a runtime that works differently.
  package static func install() throws(SchedulerError) -> VirtualScheduler {
    guard VirtualExecutors.replaceThoseOfTheProcess() else { throw .notReplaceable }
    let scheduler = VirtualScheduler()
    guard scheduler.takesEffect() else { throw .notReplaceable }
    return scheduler
  }

  /// Runs every job, moving the virtual clock, until none is left but those of tasks that poll.
  ///
  /// - Throws: ``SchedulerError/unknownClock(_:)``, ``SchedulerError/endless(jobs:)`` or
  ///   ``SchedulerError/unmet``.
  package func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    let isDrained = drain()
    if let clock = VirtualExecutors.queue.takeUnknownClock() { throw .unknownClock(clock) }
    guard isDrained else { throw .endless(jobs: Self.jobLimit) }
    if let condition, !condition() { throw .unmet }
  }

  /// Calls a body while a chooser picks the next job.
  ///
  /// - Parameters:
  ///   - chooser: picks the next job.
  ///   - body: what is run.
  /// - Returns: the body's result, and the chooser with the choices that it has made.
  /// - Throws: what the body throws.
  package func choosing<Result, Failure>(
    by chooser: Chooser, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, chooser: Chooser) {
    VirtualExecutors.queue.chooser = chooser
    defer { VirtualExecutors.queue.chooser = nil }
    let result = try body()
    return (result, VirtualExecutors.queue.chooser ?? chooser)
  }

  private func drain() -> Bool {
    VirtualExecutors.queue.drain(
      limit: Self.jobLimit, leavingPollers: leavesPollers, run: VirtualExecutors.run)
  }

  /// Runs a task that hops to the main actor and sleeps, and checks that the queue ran all of it.
  private func takesEffect() -> Bool {
    let before = VirtualExecutors.queue.now
    let witness = Witness()
    Task.detached {
      try await Task.sleep(for: .seconds(1))
      await MainActor.run { witness.isDone = true }
    }
    return drain() && witness.isDone && VirtualExecutors.queue.now == before + .seconds(1)
  }

  // Written on the draining thread and read there afterwards. If the executors were not replaced,
  // the pool writes it a second later, when this thread has already read it.
  private final class Witness: @unchecked Sendable {
    var isDone = false
  }
}
