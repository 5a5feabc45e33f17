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
