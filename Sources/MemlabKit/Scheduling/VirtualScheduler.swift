/// The deterministic scheduler: one queue, one thread, first in first out, and a virtual clock.
///
/// It owns the executors of the whole process, so it can be installed once, before the first task.
package struct VirtualScheduler: Scheduler {
  // A scenario needs a few hundred jobs. A million takes under a second, and is no scenario.
  private static let jobLimit = 1_000_000

  package let name = "virtual"
  package var isFirstInFirstOut: Bool { VirtualExecutors.queue.chooser == nil }

  private init() {}

  /// Makes the process's executors memlab's own, and checks that they are.
  ///
  /// - Throws: ``SchedulerError/notReplaceable`` when a task does not arrive where it should, as in
  ///   a process whose executors are in use already, or on a runtime that works otherwise.
  package static func install() throws(SchedulerError) -> VirtualScheduler {
    guard VirtualExecutors.replaceThoseOfTheProcess() else { throw .notReplaceable }
    let scheduler = VirtualScheduler()
    guard scheduler.takesEffect() else { throw .notReplaceable }
    return scheduler
  }

  package func settle(
    _ ledger: Ledger, until condition: (@Sendable () -> Bool)?
  ) throws(SchedulerError) {
    guard drain() else { throw .endless(jobs: Self.jobLimit) }
    if let condition, !condition() { throw .unmet }
  }

  /// Does something while a chooser picks the next job.
  ///
  /// - Returns: what was done, and the chooser with what it has picked.
  package func choosing<Result, Failure>(
    by chooser: Chooser, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, chooser: Chooser) {
    VirtualExecutors.queue.chooser = chooser
    defer { VirtualExecutors.queue.chooser = nil }
    let result = try body()
    return (result, VirtualExecutors.queue.chooser ?? chooser)
  }

  private func drain() -> Bool {
    VirtualExecutors.queue.drain(limit: Self.jobLimit, run: VirtualExecutors.run)
  }

  /// Runs a task that hops to the main actor and sleeps, and sees whether this queue did all of it.
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
  // the job sleeps for a second on the pool while this thread has long said so.
  private final class Witness: @unchecked Sendable {
    var isDone = false
  }
}
