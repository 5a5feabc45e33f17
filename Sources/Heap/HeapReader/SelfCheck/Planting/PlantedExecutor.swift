import MemlabHeapModel
import Synchronization

/// Runs the planted tasks, one step at a time, on the thread that checks.
///
/// So the check needs neither the process's executors nor their threads: it waits for nothing, and a
/// scheduler that is stuck cannot make it fail.
final class PlantedExecutor: TaskExecutor {
  /// One for tasks that end at once.
  static let shared = PlantedExecutor()

  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Where the jobs begin that wait for ``run()``.
  var waiting: [UInt] {
    jobs.withLock { jobs in jobs.map { unsafeBitCast($0, to: UInt.self) } }
  }

  /// Runs what is ready, and what that makes ready, until all of it waits or has ended.
  ///
  /// - Parameter limit: how many jobs are run.
  func run(atMost limit: Int = .max) {
    var count = 0
    while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
  }
}
