import HeapGraph
import Synchronization

/// The jobs of a deterministic run, with a virtual clock for those that sleep: first in, first out,
/// or in another order that the runtime could have run them in.
///
/// Jobs may arrive from any thread; they run on the one thread that calls ``drain(limit:run:)``.
///
/// A chooser may pick among
/// - the jobs of the global executor, all of them: it is a pool of threads, and promises no order;
/// - of the main actor's jobs only the one that came first: its executor is serial, and first in,
///   first out;
/// - the sleepers whose time has come, beside those: timers promise no order among themselves, nor
///   that they come before or behind what is ready.
///
/// Other actors' jobs never come here. The runtime keeps them in a queue of the actor's own, in the
/// order of arrival, and sends here one job for each actor that has something to do. The clock
/// moves only when no job is ready: what takes so long that a timer overtakes it is not played.
final class JobQueue: Sendable {
  /// Which executor a job was given to, and so which identity it must run under.
  enum Lane: Sendable {
    case global
    case main
  }

  fileprivate struct State: Sendable {
    var ready = ReadyJobs()
    var sleepers = SleepQueue()
    var now = Duration.zero
    var chooser: Chooser?
    /// Where the tasks are that are never to wake anybody. They are never freed.
    var alarms: Set<UInt> = []
  }

  private let state = Mutex(State())

  /// The virtual time that has passed since the queue was made.
  var now: Duration { state.withLock { $0.now } }

  /// What picks the next job; nil for first in, first out.
  var chooser: Chooser? {
    get { state.withLock { $0.chooser } }
    set { state.withLock { $0.chooser = newValue } }
  }

  /// Adds a job behind all that are ready.
  func add(_ job: UnownedJob, lane: Lane) {
    state.withLock { $0.ready.append((job, lane)) }
  }

  /// Adds a job that becomes ready once the virtual clock has reached `now + delay`; never, where
  /// that is ``VirtualTime/forEver``.
  func add(_ job: UnownedJob, lane: Lane, after delay: Duration) {
    guard delay < VirtualTime.forEver else { return forget(job) }
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
      Watchdog.noteMove()
    }
    return state.withLock { $0.ready.isEmpty && $0.sleepers.isEmpty }
  }

  /// Whether a task is the runtime's own, made to wake one that sleeps for ever: nobody's task, and
  /// none that is left because of what was run.
  func isAlarm(_ task: UnsafeRawPointer?) -> Bool {
    state.withLock { $0.alarms.contains(UInt(bitPattern: task)) }
  }

  // The runtime has made a task of its own to wake the sleeper; its job begins where the task does.
  private func forget(_ alarm: UnownedJob) {
    let address = unsafeBitCast(alarm, to: UInt.self)
    HeapRecording.withoutRecording { state.withLock { _ = $0.alarms.insert(address) } }
  }

  private func takeNext() -> ReadyJobs.Entry? {
    state.withLock { state in
      if state.chooser != nil { return state.takeChosen() }
      return state.ready.removeFirst() ?? state.wakeNext()
    }
  }
}

extension JobQueue.State {
  /// Moves the clock to the next sleeper and takes it.
  fileprivate mutating func wakeNext() -> ReadyJobs.Entry? {
    guard let due = sleepers.removeFirst() else { return nil }
    now = due.time
    return (due.job, due.lane)
  }

  /// Takes the job that the chooser picks: those that are ready come first, then those that wake.
  fileprivate mutating func takeChosen() -> ReadyJobs.Entry? {
    let candidates = ready.candidates
    if candidates.isEmpty, let next = sleepers.nextTime { now = next }
    let due = sleepers.count(until: now)
    let count = candidates.count + due
    guard count > 0 else { return nil }
    let choice = count > 1 ? chooser?.choose(among: count) ?? 0 : 0
    if choice < candidates.count { return ready.remove(at: candidates[choice]) }
    let sleeper = sleepers.remove(at: choice - candidates.count)
    return (sleeper.job, sleeper.lane)
  }
}
