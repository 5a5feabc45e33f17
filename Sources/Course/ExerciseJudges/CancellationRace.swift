import Synchronization

/// Cancels tasks from another thread while they are on their way into a wait.
///
/// Each is cancelled a little later than the one before, over and over, so that every moment has its
/// turn.
package final class CancellationRace: Sendable {
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

  /// After how many tasks, and after which time, all is well. On a busy machine, where two threads seldom
  /// run at once, that is soon: tests of the judge give it more.
  package nonisolated(unsafe) static var limit = (tasks: 500, time: Duration.milliseconds(100))

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
    let (last, time) = Self.limit
    var round = 0
    while round < last, isOver, start.duration(to: .now) < time {
      round += 1
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
    cancelled.store(.max, ordering: .releasing)
  }

  /// Cancels each task soon after it has begun.
  func cancel() {
    var round = 0
    while cancelled.load(ordering: .acquiring) < .max {
      guard begun.load(ordering: .acquiring) > round else { continue }
      round += 1
      for _ in 0..<(round % 40 * (round / 40 % 13 + 1)) { _ = begun.load(ordering: .acquiring) }
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
