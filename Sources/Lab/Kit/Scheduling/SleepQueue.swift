import MemlabHeapModel

/// Jobs that wait for the virtual clock, ordered by time and, at the same time, by arrival.
struct SleepQueue: Sendable {
  /// A job and the virtual time at which it becomes ready.
  struct Sleeper: Sendable {
    /// The job.
    let job: UnownedJob
    /// The executor that it was given to.
    let lane: JobQueue.Lane
    /// The virtual time at which it becomes ready.
    let time: Duration
    /// The task that the job wakes; nil where it wakes none.
    let task: SleepingTask?
  }

  // Latest first, so that the next one is removed from the end. A lesson has a handful of sleepers
  // at a time; a heap would not be faster.
  private var sleepers: [Sleeper] = []

  /// Whether no job sleeps.
  var isEmpty: Bool { sleepers.isEmpty }

  /// The time at which the next one wakes; nil when no job sleeps.
  var nextTime: Duration? { sleepers.last?.time }

  /// How many wake at this time or before.
  func count(until time: Duration) -> Int { sleepers.reversed().prefix { $0.time <= time }.count }

  /// Removes one of those that wake next.
  ///
  /// - Parameter place: its place from 0, by time and, at the same time, by arrival.
  mutating func remove(at place: Int) -> Sleeper { sleepers.remove(at: sleepers.count - 1 - place) }

  /// Adds a job behind all that wake at the same time or before.
  mutating func insert(_ sleeper: Sleeper) {
    let index = sleepers.firstIndex { $0.time <= sleeper.time } ?? sleepers.endIndex
    sleepers.insert(sleeper, at: index)
  }

  /// The tasks that are woken next, the last first; nil for each job that wakes none.
  var tasks: some Sequence<SleepingTask?> { sleepers.lazy.map(\.task) }
}

/// A task that sleeps, and how long.
struct SleepingTask: Sendable {
  /// The runtime's number for it, in words; no other task of the process has it.
  let id: String
  /// The name that it was given when it was created.
  let name: String?
  /// How long it sleeps.
  let delay: Duration

  /// The task that calls this, as it begins to sleep; nil where no task does.
  ///
  /// Assumes that the runtime makes a task of its own for each `Task.sleep`, which ends the sleep, and
  /// that a task and its job have one address (stdlib/public/Concurrency/TaskSleepDuration.swift).
  ///
  /// - Parameters:
  ///   - job: the job that will wake it.
  ///   - delay: how long it sleeps.
  static func current(wokenBy job: UnownedJob, after delay: Duration) -> SleepingTask? {
    HeapRecording.withoutRecording {
      let id = withUnsafeCurrentTask { task in
        task.map { unsafeBitCast($0, to: UnownedJob.self).description }
      }
      // An executor that delays a task's own jobs puts nobody to sleep.
      guard let id, id != job.description else { return nil }
      // A Mac's runtime tells the name since this system.
      let name = if #available(macOS 26, *) { Task.name } else { String?.none }
      return SleepingTask(id: id, name: name, delay: delay)
    }
  }

  /// What a report says of it when a step has left it asleep: "task clock polls every 1 s".
  var sentence: String {
    let name = name.map { "task \($0)" } ?? "a task without a name"
    let seconds = delay / .seconds(1)
    let period = seconds < 1 ? "\((delay / .milliseconds(1)).shortest) ms" : "\(seconds.shortest) s"
    return "\(name) polls every \(period)"
  }
}

/// How often each task has woken up in a step.
struct Naps: Sendable {
  /// A task that has woken up so often polls, and a step does not wait for it any more.
  ///
  /// More often than code sleeps that comes to an end, and few enough to take milliseconds.
  static let most = 1_000

  private var counts: [String: Int] = [:]
  /// Whether any task polls.
  private(set) var hasPollers = false

  /// Counts that a task wakes up.
  mutating func noteEnd(of task: SleepingTask) {
    HeapRecording.withoutRecording {
      let count = counts[task.id, default: 0] + 1
      counts[task.id] = count
      hasPollers = hasPollers || count >= Self.most
    }
  }

  /// Whether a task wakes up again and again.
  func isPoller(_ task: SleepingTask?) -> Bool {
    task.map { counts[$0.id, default: 0] >= Self.most } ?? false
  }
}

extension Double {
  // "1", "0.5"
  fileprivate var shortest: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
