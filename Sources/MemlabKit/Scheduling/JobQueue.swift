import Synchronization

/// The jobs of a deterministic run: first in, first out, with a virtual clock for those that sleep.
///
/// Jobs may arrive from any thread; they run on the one thread that calls ``drain(limit:)``.
final class JobQueue: Sendable {
  /// Which executor a job was given to, and so which identity it must run under.
  enum Lane: Sendable {
    case global
    case main
  }

  private struct State: Sendable {
    var ready: [(job: UnownedJob, lane: Lane)] = []
    var head = 0
    var sleepers = SleepQueue()
    var now = Duration.zero
  }

  private let state = Mutex(State())

  /// The virtual time that has passed since the queue was made.
  var now: Duration { state.withLock { $0.now } }

  /// Adds a job behind all that are ready.
  func add(_ job: UnownedJob, lane: Lane) {
    state.withLock { $0.ready.append((job, lane)) }
  }

  /// Adds a job that becomes ready once the virtual clock has reached `now + delay`.
  func add(_ job: UnownedJob, lane: Lane, after delay: Duration) {
    state.withLock { $0.sleepers.insert(job, lane: lane, at: $0.now + max(delay, .zero)) }
  }

  /// Runs jobs until none is left, moving the clock forward to the next sleeper whenever no job is
  /// ready.
  ///
  /// - Parameter limit: how many jobs may run before the queue is declared endless.
  /// - Returns: whether the queue was emptied within the limit.
  func drain(limit: Int, run: (UnownedJob, Lane) -> Void) -> Bool {
    for _ in 0..<limit {
      guard let next = takeNext() else { return true }
      VirtualTime.set(now)
      run(next.job, next.lane)
    }
    return state.withLock { $0.head == $0.ready.count && $0.sleepers.isEmpty }
  }

  private func takeNext() -> (job: UnownedJob, lane: Lane)? {
    state.withLock { state in
      if state.head == state.ready.count {
        state.ready.removeAll(keepingCapacity: true)
        state.head = 0
        guard let due = state.sleepers.removeFirst() else { return nil }
        state.now = due.time
        return (due.job, due.lane)
      }
      defer { state.head += 1 }
      return state.ready[state.head]
    }
  }
}
