import Synchronization

/// Cancels tasks from another thread while they are on their way into a wait.
///
/// Each is cancelled a little later than the one before, over and over, so that every moment has its
/// turn.
final class CancellationRace: Sendable {
  // Runs the jobs of tasks on the thread that asks for it.
  private final class Jobs: TaskExecutor {
    private let waiting = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      waiting.withLock { $0.append(job) }
    }

    func run() {
      while let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  private static let rounds = 500
  private static let patience = Duration.milliseconds(400)

  private let wait: @Sendable () async -> Void
  private let jobs = Jobs()
  private let task = Mutex<Task<Void, Never>?>(nil)
  // How many tasks have begun, have been cancelled, and are over.
  private let begun = Atomic(0)
  private let cancelled = Atomic(0)
  private let over = Atomic(0)

  /// A race of tasks that do this.
  init(_ wait: @escaping @Sendable () async -> Void) { self.wait = wait }

  /// Lets one task after another run into its wait, until one is not over when it is cancelled.
  func comeAndWait() {
    let start = ContinuousClock.now
    for round in 1...Self.rounds where isOver && start.duration(to: .now) < Self.patience {
      task.withLock { task in
        task = Task(executorPreference: jobs) { [self] in
          await wait()
          over.add(1, ordering: .acquiringAndReleasing)
        }
      }
      begun.store(round, ordering: .releasing)
      jobs.run()
      while cancelled.load(ordering: .acquiring) < round {}
      jobs.run()
    }
    cancelled.store(Self.rounds, ordering: .releasing)
  }

  /// Cancels each task soon after it has begun.
  func cancel() {
    var round = 0
    while cancelled.load(ordering: .acquiring) < Self.rounds {
      guard begun.load(ordering: .acquiring) > round else { continue }
      round += 1
      for _ in 0..<(round % 40 * (round / 40 + 1)) { _ = begun.load(ordering: .acquiring) }
      task.withLock { $0 }?.cancel()
      cancelled.store(round, ordering: .releasing)
    }
  }

  /// Whether the last task is over, once all that was begun is done.
  func isDone() -> Bool {
    jobs.run()
    return isOver
  }

  private var isOver: Bool { over.load(ordering: .acquiring) == begun.load(ordering: .acquiring) }
}
