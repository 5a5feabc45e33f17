import CMemlabLab
import MemlabHeapModel

/// The deterministic scheduler: one queue, one thread, first in first out, and a virtual clock.
///
/// It replaces the executors of the whole process, so it can be installed once, before the first
/// task.
package struct VirtualScheduler: Scheduler {
  /// Whether no chooser is at work.
  package var isFirstInFirstOut: Bool { VirtualExecutors.queue.chooser == nil }

  private var leavesPollers = true

  private init() {}

  /// The same scheduler for code that must not poll: there, a task that sleeps again and again never
  /// comes to rest.
  package var forbiddingPolling: VirtualScheduler { changed(self) { $0.leavesPollers = false } }

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
    let isDrained = VirtualExecutors.queue.drain(leavingPollers: leavesPollers)
    if let clock = VirtualExecutors.queue.takeUnknownClock() { throw .unknownClock(clock) }
    guard isDrained else { throw .endless(jobs: JobQueue.jobLimit) }
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

  /// Runs a task that hops to the main actor and sleeps, and checks that the queue ran all of it.
  private func takesEffect() -> Bool {
    let before = VirtualExecutors.queue.now
    // If the executors were not replaced, the pool writes it a second later.
    let isDone = Guarded(false)
    Task.detached {
      try await Task.sleep(for: .seconds(1))
      await MainActor.run { isDone.withLock { $0 = true } }
    }
    let isDrained = VirtualExecutors.queue.drain(leavingPollers: leavesPollers)
    return isDrained && VirtualExecutors.queue.now == before + .seconds(1) && isDone.withLock { $0 }
  }
}

/// The process's executors in a deterministic run. Every job of every task, actor and sleep goes
/// to one ``JobQueue``.
///
/// Swift 6.2 does not let a program replace its executors: there the runtime's own stay in place.
enum VirtualExecutors {
  /// The queue of every job of a deterministic run.
  static let queue = JobQueue()

  /// Runs one job under the identity of the executor that it was given to.
  ///
  /// A global job must run on the generic executor. Under a task executor's identity, the runtime
  /// would find the job on the wrong executor and enqueue it again, endlessly.
  static func run(_ job: UnownedJob, lane: JobQueue.Lane) {
    switch lane {
    case .global: job.runSynchronously(on: generic)
    case .main: job.runSynchronously(on: MainActor.sharedUnownedExecutor)
    }
  }

  // The runtime's generic executor is the pair of a null identity and a null implementation; the
  // standard library has no public spelling for it.
  private static let generic = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
}

// A Mac has the runtime of its system, and no one tried this there. So the portable configuration
// does without it on Linux too.
#if compiler(>=6.3) && !canImport(Darwin) && !MEMLAB_PORTABLE
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  extension VirtualExecutors {
    /// Why a program cannot replace its executors here, as a clause; nil where it can.
    static let obstacle: String? = nil

    /// Replaces the process's executors with memlab's. Call it before the first task exists.
    ///
    /// - Returns: whether this runtime supports that. ``VirtualScheduler/install()`` checks that it
    ///   has taken effect, by running a task that sleeps.
    static func replaceThoseOfTheProcess() -> Bool {
      _createExecutors(factory: VirtualExecutorFactory.self)
      return true
    }
  }

  /// What the runtime asks for its executors.
  ///
  /// Assumes of the runtime (Swift 6.3, stdlib/public/Concurrency/ExecutorImpl.swift):
  /// `_createExecutors(factory:)`, called before the first task exists, makes these the default and
  /// the main executor; sleeps arrive through `SchedulingExecutor`.
  private enum VirtualExecutorFactory: ExecutorFactory {
    static let mainExecutor: any MainExecutor = VirtualMainExecutor()
    static let defaultExecutor: any TaskExecutor = VirtualGlobalExecutor()
  }

  /// The default executor of a deterministic run.
  final class VirtualGlobalExecutor: TaskExecutor, SchedulingExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      VirtualExecutors.queue.add(UnownedJob(job), lane: .global)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) { add(UnownedJob(job), after: delay, clock) }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) { add(UnownedJob(job), after: clock.now.duration(to: instant), clock, isDeadline: true) }

    // No other type of duration says how long it is in seconds. Without a sleep, or with a made-up
    // one, the run would differ from the real one, and nothing would say so.
    private func add<C: Clock>(
      _ job: UnownedJob, after delay: C.Duration, _ clock: C, isDeadline: Bool = false
    ) {
      guard let delay = delay as? Duration else {
        return VirtualExecutors.queue.refuse(clock: C.self)
      }
      let settled = isDeadline ? VirtualTime.settled(delay) : delay
      VirtualExecutors.queue.add(
        job, lane: .global, after: settled, waking: .current(wokenBy: job, after: settled))
    }

    /// Itself: it knows when a job is to run.
    var asSchedulingExecutor: (any SchedulingExecutor)? { self }
  }

  /// The main actor's executor of a deterministic run.
  final class VirtualMainExecutor: MainExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      VirtualExecutors.queue.add(UnownedJob(job), lane: .main)
    }

    /// Nothing: a step runs the jobs, see ``VirtualScheduler``.
    func run() throws {}
    /// Nothing, because ``run()`` has returned at once.
    func stop() {}
  }
#else
  extension VirtualExecutors {
    /// Why a program cannot replace its executors here, as a clause; nil where it can.
    static let obstacle: String? = {
      #if MEMLAB_PORTABLE
        "this is the portable configuration, and executors are replaced on Linux only"
      #else
        "Swift lets a program replace its executors since 6.3, on Linux"
      #endif
    }()

    /// Does nothing: executors cannot be replaced here.
    static func replaceThoseOfTheProcess() -> Bool { false }
  }
#endif

/// The clocks that the draining thread reads.
enum VirtualTime {
  /// A sleep of a century or more counts as infinite.
  static let infinite = Duration.seconds(100 * 365 * 86_400)

  /// Sets the calling thread's clocks to this time since the start of the run.
  ///
  /// They count nanoseconds in 64 bits, so the latest time is 292 years.
  static func set(_ now: Duration) {
    let (seconds, attoseconds) = now.components
    let (nanoseconds, isTooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    memlab_virtual_clock_set(isTooMany || isTooMuch ? .max : sum)
  }

  /// The delay that the code asked for.
  ///
  /// Where the thread's clocks cannot be stopped (sanitizer builds, platforms other than Linux), a
  /// few microseconds pass after the deadline was computed. Rounding to milliseconds removes them.
  static func settled(_ delay: Duration) -> Duration {
    guard memlab_virtual_clock_available() == 0, delay > .zero - infinite, delay < infinite
    else { return delay }
    let milliseconds = (delay / .milliseconds(1)).rounded()
    return .milliseconds(Int64(milliseconds))
  }
}

/// A clock that shows real time also in a deterministic run.
package enum RealTime {
  /// The time since some moment in the past.
  package static func now() -> Duration { .nanoseconds(memlab_real_nanoseconds(CLOCK_MONOTONIC)) }
}
