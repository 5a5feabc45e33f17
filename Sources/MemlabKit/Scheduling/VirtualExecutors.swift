@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The process's executors while a run is deterministic: every job of every task, actor and sleep
/// lands in one ``JobQueue``.
///
/// Assumes of the runtime (Swift 6.3): `_createExecutors(factory:)`, called before the first task
/// exists, makes these the default and the main executor; sleeps arrive through
/// `SchedulingExecutor`. ``VirtualScheduler/install()`` checks both by running a task that sleeps.
enum VirtualExecutors: ExecutorFactory {
  static let queue = JobQueue()
  static let main = VirtualMainExecutor()
  static let global = VirtualGlobalExecutor()

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { global }

  /// Runs one job under the identity of the executor that it was given to.
  ///
  /// A global job must run on the generic executor: run under a task executor's own identity, the
  /// runtime finds itself in the wrong place and enqueues the job again, for ever.
  static func run(_ job: UnownedJob, lane: JobQueue.Lane) {
    switch lane {
    case .global: job.runSynchronously(on: generic)
    case .main: job.runSynchronously(on: main.asUnownedSerialExecutor())
    }
  }

  // The runtime's generic executor is the pair of a null identity and a null implementation; the
  // standard library has no public spelling for it.
  private static let generic = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
}

/// The default executor of a deterministic run.
final class VirtualGlobalExecutor: TaskExecutor, SchedulingExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    VirtualExecutors.queue.add(UnownedJob(job), lane: .global)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let delay = delay as? Duration ?? .zero
    VirtualExecutors.queue.add(UnownedJob(job), lane: .global, after: delay)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    let delay = VirtualTime.settled(clock.now.duration(to: instant) as? Duration ?? .zero)
    VirtualExecutors.queue.add(UnownedJob(job), lane: .global, after: delay)
  }

  var asSchedulingExecutor: (any SchedulingExecutor)? { self }
}

/// The main actor's executor of a deterministic run.
final class VirtualMainExecutor: MainExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    VirtualExecutors.queue.add(UnownedJob(job), lane: .main)
  }

  func run() throws {}
  func stop() {}
}
