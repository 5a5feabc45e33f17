import CMemlabLab
import MemlabHeapModel
import Synchronization

/// The jobs of a deterministic run, with a virtual clock for those that sleep: first in, first out,
/// or in another order that the runtime could have run them in.
///
/// Jobs may arrive from any thread; they run on the one thread that calls ``drain(leavingPollers:)``.
///
/// A chooser may pick among
/// - all jobs of the global executor: it is a pool of threads, and promises no order;
/// - the main actor's first job only: its executor is serial, and first in, first out;
/// - the sleepers whose time has come: timers promise no order among themselves, nor whether they
///   fire before or after jobs that are ready.
///
/// A loop that sleeps again and again would never come to rest, because its sleep takes no time. So a
/// task that has woken up ``Naps/most`` times in a step is left asleep, as soon as nobody else sleeps.
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

  /// How many jobs may run in a step. A scenario needs a few hundred. A million takes under a second, and is
  /// no scenario.
  static let jobLimit = 1_000_000

  fileprivate struct State: Sendable {
    var ready = ReadyJobs()
    var sleepers = SleepQueue()
    /// How often each task has woken up since the drain began.
    var naps = Naps()
    /// Whether tasks that poll are left asleep.
    var leavesPollers = true
    var now = Duration.zero
    var chooser: Chooser?
    /// The type of a clock whose durations could not be converted; nil when there was none.
    var unknownClock: String?
  }

  private let state = Mutex(State())
  // libdispatch does not say whether anything was there. Each pass runs what the one before has sent.
  private static let mainQueuePasses = 32

  /// The virtual time since the queue was made.
  var now: Duration { state.withLock { $0.now } }

  /// What picks the next job; nil for first in, first out.
  var chooser: Chooser? {
    get { state.withLock { $0.chooser } }
    set { state.withLock { $0.chooser = newValue } }
  }

  /// Adds a job behind all that are ready.
  func add(_ job: UnownedJob, lane: Lane) { state.withLock { $0.ready.append((job, lane)) } }

  /// Adds a job that becomes ready when the virtual clock reaches `now + delay`.
  ///
  /// A delay of ``VirtualTime/infinite`` or more never ends.
  ///
  /// - Parameter task: the task that the job wakes; nil where it wakes none.
  func add(_ job: UnownedJob, lane: Lane, after delay: Duration, waking task: SleepingTask?) {
    guard delay < VirtualTime.infinite else { return }
    state.withLock {
      let time = $0.now + max(delay, .zero)
      $0.sleepers.insert(.init(job: job, lane: lane, time: time, task: task))
    }
  }

  /// Never wakes what still sleeps: the trial is over that it belongs to.
  func forgetSleepers() { state.withLock { $0.sleepers = SleepQueue() } }

  /// Each task that the latest drain has left asleep, as a sentence, by name, and one for all of them.
  var pollers: [String] {
    HeapRecording.withoutRecording {
      let sentences = Set(state.withLock { $0.sleepers.tasks.compactMap { $0?.sentence } })
      return sentences.sorted()
        + (sentences.isEmpty ? [] : ["left asleep after \(Naps.most) wake-ups"])
    }
  }

  /// Does not run a job, because its delay is measured in durations that are not `Duration`.
  ///
  /// - Parameter clock: the type of the clock, for ``takeUnknownClock()``.
  func refuse(clock: Any.Type) {
    HeapRecording.withoutRecording { state.withLock { $0.unknownClock = "\(clock)" } }
  }

  /// The type of the clock for which a job was refused since the last call; nil when there was none.
  func takeUnknownClock() -> String? { state.withLock { $0.unknownClock.take() } }

  /// Runs jobs until none is left. Whenever no job is ready, moves the clock to the next sleeper.
  ///
  /// - Parameter leavesPollers: whether tasks that poll are left asleep.
  /// - Returns: whether ``jobLimit`` jobs were enough to empty the queue.
  func drain(leavingPollers leavesPollers: Bool) -> Bool {
    state.withLock { ($0.naps, $0.leavesPollers) = (Naps(), leavesPollers) }
    // Asked once: the kernel's answer would take longer than the passes.
    let passes = memlab_main_queue_is_own() ? Self.mainQueuePasses : 0
    for _ in 0..<Self.jobLimit {
      guard let next = takeNext(afterMainQueuePasses: passes) else { return true }
      VirtualTime.set(now)
      VirtualExecutors.run(next.job, lane: next.lane)
      Watchdog.noteMove()
    }
    return state.withLock { $0.ready.isEmpty && $0.isAsleep }
  }

  // The main queue is not the main actor's here, but it is the main thread's. What was sent to it runs
  // when no job is ready, before time passes.
  private func takeNext(afterMainQueuePasses passes: Int) -> ReadyJobs.Entry? {
    for _ in 0..<passes {
      guard state.withLock({ $0.ready.isEmpty }) else { break }
      memlab_main_queue_run()
    }
    return state.withLock { $0.takeNext() }
  }
}

extension JobQueue.State {
  /// Whether none sleeps but tasks that poll.
  fileprivate var isAsleep: Bool {
    sleepers.isEmpty || leavesPollers && naps.hasPollers && sleepers.tasks.allSatisfy(naps.isPoller)
  }

  /// Takes the job that the chooser picks, or else the first. Ready jobs are counted first, then
  /// sleepers that are due. Where no job is ready, the clock moves to the next sleeper.
  fileprivate mutating func takeNext() -> ReadyJobs.Entry? {
    if ready.isEmpty {
      guard !isAsleep, let next = sleepers.nextTime else { return nil }
      now = next
    }
    let readyCount = ready.candidateCount
    let count = readyCount + sleepers.count(until: now)
    guard count > 0 else { return nil }
    let choice = count > 1 ? chooser?.choose(among: count) ?? 0 : 0
    if choice < readyCount { return ready.remove(at: choice) }
    let sleeper = sleepers.remove(at: choice - readyCount)
    if let task = sleeper.task { naps.noteEnd(of: task) }
    return (sleeper.job, sleeper.lane)
  }
}

/// Jobs that could run at once, in the order in which they arrived.
///
/// Of the main actor's jobs only the first may run next: each waits for the one before it.
package struct ReadyJobs: Sendable {
  /// A job and the executor that it was given to.
  package typealias Entry = (job: UnownedJob, lane: JobQueue.Lane)

  // From `head` on, by arrival.
  private var entries: [Entry] = []
  private var head = 0
  private var countOfMain = 0

  /// No jobs.
  package init() {}

  /// Whether no job is ready.
  package var isEmpty: Bool { head == entries.count }

  /// How many jobs the runtime could run next.
  package var candidateCount: Int { entries.count - head - max(0, countOfMain - 1) }

  /// Adds a job behind all others.
  package mutating func append(_ entry: Entry) {
    entries.append(entry)
    if entry.lane == .main { countOfMain += 1 }
  }

  /// Removes one of the jobs that the runtime could run next.
  ///
  /// - Parameter place: its place among them, from 0 in the order of arrival.
  package mutating func remove(at place: Int) -> Entry {
    let index = index(ofCandidate: place)
    let taken = entries[index]
    if index == head { head += 1 } else { entries.remove(at: index) }
    if taken.lane == .main { countOfMain -= 1 }
    if isEmpty {
      entries.removeAll(keepingCapacity: true)
      head = 0
    }
    return taken
  }

  // The first to arrive can always run. Few other orders are tried, of few jobs.
  private func index(ofCandidate place: Int) -> Int {
    guard place > 0 else { return head }
    var (rest, hasMain) = (place, false)
    return entries[head...].indices.first { index in
      let isCandidate = entries[index].lane == .global || !hasMain
      hasMain = hasMain || entries[index].lane == .main
      rest -= isCandidate ? 1 : 0
      return isCandidate && rest < 0
    } ?? head
  }
}
