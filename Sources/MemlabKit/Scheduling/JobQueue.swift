import HeapGraph
import Synchronization

/// The jobs of a deterministic run, with a virtual clock for those that sleep: first in, first out,
/// or in another order that the runtime could have run them in.
///
/// Jobs may arrive from any thread; they run on the one thread that calls ``drain(limit:run:)``.
///
/// A chooser may pick among
/// - all jobs of the global executor: it is a pool of threads, and promises no order;
/// - the main actor's first job only: its executor is serial, and first in, first out;
/// - the sleepers whose time has come: timers promise no order among themselves, nor whether they
///   fire before or after jobs that are ready.
///
/// Other actors' jobs never arrive here. The runtime keeps them in the actor's own queue, in the
/// order of arrival, and sends here one job for each actor that has something to do. The clock
/// moves only when no job is ready: code so slow that a timer overtakes it is not simulated.
package final class JobQueue: Sendable {
  /// Which executor a job was given to, and so which identity it must run under.
  package enum Lane: Sendable {
    /// The pool's, which promises no order.
    case global
    /// The main actor's, which is first in, first out.
    case main
  }

  fileprivate struct State: Sendable {
    var ready = ReadyJobs()
    var sleepers = SleepQueue()
    var now = Duration.zero
    var chooser: Chooser?
    /// The addresses of tasks that would end an infinite sleep. They are never run or freed.
    var alarms: Set<UInt> = []
    /// The type of a clock whose durations could not be converted; nil when there was none.
    var unknownClock: String?
  }

  private let state = Mutex(State())

  /// The virtual time since the queue was made.
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

  /// Adds a job that becomes ready when the virtual clock reaches `now + delay`.
  ///
  /// A delay of ``VirtualTime/infinite`` or more never ends.
  func add(_ job: UnownedJob, lane: Lane, after delay: Duration) {
    guard delay < VirtualTime.infinite else { return forget(job) }
    state.withLock { $0.sleepers.insert(job, lane: lane, at: $0.now + max(delay, .zero)) }
  }

  /// Does not run a job, because its delay is measured in durations that are not `Duration`.
  ///
  /// - Parameter clock: the type of the clock, for ``takeUnknownClock()``.
  func refuse(clock: Any.Type) {
    HeapRecording.withoutRecording { state.withLock { $0.unknownClock = "\(clock)" } }
  }

  /// The type of the clock for which a job was refused since the last call; nil when there was none.
  func takeUnknownClock() -> String? {
    state.withLock { state in
      defer { state.unknownClock = nil }
      return state.unknownClock
    }
  }

  /// Runs jobs until none is left. Whenever no job is ready, moves the clock to the next sleeper.
  ///
  /// - Parameters:
  ///   - limit: how many jobs may run.
  ///   - run: runs one job.
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

  /// Whether the runtime made this task to end an infinite sleep. Such a task is not a leak of the
  /// code under study.
  func isAlarm(_ task: UnsafeRawPointer?) -> Bool {
    state.withLock { $0.alarms.contains(UInt(bitPattern: task)) }
  }

  // The job is that of a task that the runtime made to wake the sleeper. Both have one address.
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

  /// Takes the job that the chooser picks. Ready jobs are counted first, then sleepers that are due.
  fileprivate mutating func takeChosen() -> ReadyJobs.Entry? {
    if ready.isEmpty, let next = sleepers.nextTime { now = next }
    let readyCount = ready.candidateCount
    let count = readyCount + sleepers.count(until: now)
    guard count > 0 else { return nil }
    let choice = count > 1 ? chooser?.choose(among: count) ?? 0 : 0
    if choice < readyCount { return ready.remove(at: choice) }
    let sleeper = sleepers.remove(at: choice - readyCount)
    return (sleeper.job, sleeper.lane)
  }
}
