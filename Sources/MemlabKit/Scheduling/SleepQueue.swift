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
  func count(until time: Duration) -> Int {
    sleepers.reversed().prefix { $0.time <= time }.count
  }

  /// Removes one of those that wake next.
  ///
  /// - Parameter place: its place from 0, by time and, at the same time, by arrival.
  mutating func remove(at place: Int) -> Sleeper {
    sleepers.remove(at: sleepers.count - 1 - place)
  }

  /// Adds a job behind all that wake at the same time or before.
  mutating func insert(_ sleeper: Sleeper) {
    let index = sleepers.firstIndex { $0.time <= sleeper.time } ?? sleepers.endIndex
    sleepers.insert(sleeper, at: index)
  }

  /// Removes the job that wakes first; nil when no job sleeps.
  mutating func removeFirst() -> Sleeper? {
    sleepers.popLast()
  }

  /// The tasks that are woken next, the last first; nil for each job that wakes none.
  var tasks: some Sequence<SleepingTask?> { sleepers.lazy.map(\.task) }
}
