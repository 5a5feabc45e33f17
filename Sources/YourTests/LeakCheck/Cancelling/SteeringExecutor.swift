import Dispatch
import MemlabHeapModel
import Synchronization

/// Runs the jobs of a body and of its child tasks, one after another, and cancels the body at a
/// moment.
///
/// The jobs of default actors that it calls are among them: an actor without an executor of its own
/// runs where the task that calls it prefers to.
final class SteeringExecutor: TaskExecutor {
  /// Raised when the body is cancelled, and when it has ended.
  let hasComeToMoment = Signal()
  /// Raised when the body has ended.
  let hasEnded = Signal()

  private let moment: CancellationMoment
  private let queue = DispatchQueue(label: "LeakCheck", attributes: .initiallyInactive)
  private let state = Mutex(State())
  private let path = Mutex(PathOfBody())

  private struct State {
    var jobs: [UnownedJob] = []
    var cancel: (@Sendable () -> Void)?
    var isCancelled = false
    var isStopped = false
  }

  /// An executor for one run of a body.
  ///
  /// - Parameter moment: when to cancel the body.
  init(cancelling moment: CancellationMoment) { self.moment = moment }

  /// Where the body has suspended, up to where it was cancelled.
  var suspensions: [Suspension] { path.withLock { $0.suspensions } }

  /// Takes a job.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // An address in the array's memory would look like a way to a task.
    HeapRecording.withoutRecording { state.withLock { $0.jobs.append(job) } }
    queue.async { self.runNext() }
  }

  /// Begins to run jobs.
  ///
  /// - Parameter cancel: cancels the body's task.
  func start(cancelling cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = cancel }
    if moment == .beginning { self.cancel() }
    queue.activate()
  }

  /// Cancels the body, unless it has been.
  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = state.cancel != nil
      return state.cancel.take()
    }
    cancel?()
    hasComeToMoment.raise()
  }

  /// Whether the body has been cancelled.
  var hasCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Notes that the body has ended.
  func end() {
    state.withLock { $0.cancel = nil }
    hasEnded.raise()
    hasComeToMoment.raise()
  }

  /// Runs no more jobs. When this returns, none is running.
  func stop() {
    state.withLock { $0.isStopped = true }
    queue.sync {}
  }

  private func runNext() {
    let next = state.withLock { state in
      state.isStopped || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
    }
    guard let job = next else { return }
    // Once the body has been cancelled, nothing is looked at any more.
    if !hasCancelled, path.withLock({ $0.comes(to: moment, with: job) }) { cancel() }
    job.runSynchronously(on: asUnownedTaskExecutor())
    if !hasCancelled, look(after: job) { cancel() }
  }

  private func look(after job: UnownedJob) -> Bool {
    path.withLock { path in
      path.look(after: job) { state.withLock { $0.jobs } }
      return moment == .during(path.suspensions.count)
    }
  }
}
