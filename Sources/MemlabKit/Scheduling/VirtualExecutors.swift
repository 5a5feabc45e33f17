/// The process's executors while a run is deterministic: every job of every task, actor and sleep
/// lands in one ``JobQueue``.
///
/// Swift 6.2 keeps the protocols of executors to itself, so there the runtime's own stay in place.
enum VirtualExecutors {
  /// The queue that every job of a deterministic run lands in.
  static let queue = JobQueue()

  /// Runs one job under the identity of the executor that it was given to.
  ///
  /// A global job must run on the generic executor: run under a task executor's own identity, the
  /// runtime finds itself in the wrong place and enqueues the job again, for ever.
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
