#if compiler(>=6.3)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  extension VirtualExecutors {
    /// Makes memlab's executors those of the process; to be called before the first task exists.
    ///
    /// - Returns: whether this runtime lets a program do that. ``VirtualScheduler/install()`` checks
    ///   that it has taken effect, by running a task that sleeps.
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
#else
  extension VirtualExecutors {
    /// Makes nothing of the sort: Swift 6.2 does not let a program replace its executors.
    static func replaceThoseOfTheProcess() -> Bool { false }
  }
#endif
