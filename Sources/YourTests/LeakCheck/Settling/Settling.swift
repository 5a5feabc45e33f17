import MemlabHeapModel

/// Waits until a check can be judged.
struct Settling {
  /// What the check waits for.
  let scope: LeakScope
  /// How long.
  let patience: Patience

  private static let longestPause = Duration.milliseconds(200)
  // A cancelled test should end soon, but a test may also cancel its body to see what stays alive.
  private static let graceWhenCancelled = Duration.seconds(2)

  /// Returns as soon as everything is gone, or as soon as it is certain that something will stay.
  ///
  /// - Returns: nil if everything is gone.
  func run() async -> Finding? {
    for _ in 0..<16 {
      if scope.isSettled { return nil }
      await Task.yield()
    }
    return await lookRepeatedly()
  }

  // A second reading must confirm the first one where the heap may have changed while it was read.
  private func lookRepeatedly() async -> Finding? {
    var waiting = Waiting(for: scope)
    var looks = 0
    let limit = patience.limit
    var pause = min(firstPause, limit)
    var lost: [UInt64]?
    var (idleSince, owners): (Duration?, Set<UInt64>) = (nil, [])
    var alarms: Set<UInt64>?
    var trail = TaskTrail()
    // While a token lives, a task has not ended that the body has begun.
    var wasEmpty = scope.tokenAddresses.isEmpty
    while true {
      if await waiting.isSettled(within: pause) { return nil }
      guard let result = await look(&waiting) else { return nil }
      looks += 1
      let look = try? result.get()
      if let look { scope.forgetSharedObjects(in: look.snapshot) }
      let isEmpty = look.map { $0.tasks.isEmpty && !$0.isBetweenTasks } == true
      // A task that has gone on while its memory was read is in no look, for once.
      let isSettled = isEmpty && wasEmpty && scope.hasNoObjectsInProcess
      if scope.isSettled || isSettled { return nil }
      wasEmpty = isEmpty
      let final = look.flatMap { $0.isFinal ? $0.tasks.map(\.id) : nil }
      if let final, final == lost || look?.isProven == true {
        return Finding(look: result, reason: .certain)
      }
      // Where one look takes long, the time may be up after the first one that finds nothing to end this.
      let isUnconfirmed = final != nil && lost == nil
      lost = final
      if let look, look.isIdle {
        // Where something else owns the objects, something ran between the looks.
        idleSince = look.owners == owners ? idleSince ?? waiting.paused : waiting.paused
        owners = look.owners
        // What sleeps again is not waited for again.
        alarms = alarms?.intersection(look.alarms) ?? look.alarms
      } else {
        idleSince = nil
      }
      if alarms?.isEmpty == false { idleSince = nil }
      if let idleSince, patience.isOver(whenIdleFor: waiting.paused - idleSince) {
        return Finding(look: result, reason: .idle(waiting.paused))
      }
      if let look { trail.add(look.traces) }
      let moving = trail.isSuccession ? nil : look
      if !isUnconfirmed,
        let reason = reasonToStop(
          after: waiting, looks, isMoving: moving?.isMoving == true, isLate: moving?.isLate == true)
      {
        return Finding(look: result, reason: reason, trail: trail)
      }
      pause = max(min(pause * 2, Self.longestPause), pauseAfterSlowLook)
      // One more look, when the patience is over: an object's end is noticed without.
      if let idleSince { pause = patience.nextPause(whenIdleFor: waiting.paused - idleSince) }
      // Of a whole test, a second look at the same moment may miss the same task.
      if isUnconfirmed, scope.tasks != .all { pause = .milliseconds(10) }
      if waiting.paused < limit { pause = min(pause, limit - waiting.paused) }
    }
  }

  // Most tasks that end a little later end before a reading would, so that no reading is needed.
  private var firstPause: Duration {
    // Only the heap can tell that all tasks of the process are gone.
    scope.tasks == .all
      ? .milliseconds(2) : max(.milliseconds(10), min(HeapReadTurn.latestDuration, .seconds(1)))
  }

  // Where a look takes long, looks must not take up all the time; but a check that gives up has looked
  // several times.
  private var pauseAfterSlowLook: Duration {
    min(HeapReadTurn.latestDuration * 2, currentLimit / 8)
  }

  // How long the check waits at most, which is less once the test is cancelled.
  private var currentLimit: Duration {
    Task.isCancelled ? min(patience.limit, Self.graceWhenCancelled) : patience.limit
  }

  private func reasonToStop(
    after waiting: Waiting, _ looks: Int, isMoving: Bool, isLate: Bool
  ) -> Finding.Reason? {
    let (isCancelled, limit, waited) = (Task.isCancelled, currentLimit, waiting.duration)
    guard
      Patience(limit: limit).isOver(
        after: waited, paused: waiting.paused, looks: looks, isMoving: isMoving, isLate: isLate)
    else { return nil }
    if isCancelled { return .cancelled }
    return .timeIsUp(limit > .zero ? limit * max(1, Int(waited / limit)) : limit)
  }

  // Nil if everything is gone before it is this check's turn.
  private func look(_ waiting: inout Waiting) async -> Result<HeapLook, UnreadHeap>? {
    // In memory that no look reads.
    let request = HeapRecording.withoutRecording { LookRequest(for: scope, within: patience.limit) }
    HeapReadTurn.add(request)
    // Where a task keeps one of two threads to itself, the other one may have many checks to go on with.
    // They ask before the heap is read, so that one look answers them.
    for _ in 0..<2 { await Task.yield() }
    while !request.isAnswered.isRaised {
      if let requests = HeapReadTurn.begin() {
        await HeapLook.take(for: requests)
      } else if await waiting.isSettled(within: .milliseconds(5)) {
        if HeapReadTurn.remove(request) { return nil }
        await request.isAnswered.wait()
      }
    }
    return request.answer
  }
}

/// What was left at the last reading.
struct Finding {
  /// The heap at that time, or the reason why it could not be read.
  let look: Result<HeapLook, UnreadHeap>
  /// Why the check stopped waiting.
  let reason: Reason
  /// What the looks before have found.
  var trail = TaskTrail()

  /// The numbers of the blocks that nothing can reach any more.
  var lostBlocks: Set<UInt64> {
    if case .certain = reason, let look = try? look.get() { look.lost } else { [] }
  }

  /// Why a check stops waiting.
  enum Reason {
    /// Nothing can end the tasks and objects that are left.
    case certain
    /// Nothing that the check has begun is still running; so long was waited, by the check's pauses.
    case idle(Duration)
    /// So long was waited, in whole limits.
    case timeIsUp(Duration)
    /// The test was cancelled, and the check has waited a short while.
    case cancelled
  }
}

/// The tasks that one look after another has found.
///
/// A task may start its successor and end, again and again. Then each look finds another one, or none,
/// and no task is ever there that has not finished.
///
/// It is kept from one look to the next, so it has no task's address: that would be a way to the task.
struct TaskTrail {
  private var looks: [[UInt64]] = []
  /// The latest that tells where it was created; nil when none does.
  private(set) var latest: TaskOrigin?

  private static let shortest = 3

  /// Notes what a look has found.
  mutating func add(_ tasks: [TaskTrace]) {
    guard !tasks.isEmpty else { return }
    looks.append(tasks.map(\.task.id))
    for trace in tasks where trace.origin != nil { latest = TaskOrigin(of: trace) }
  }

  /// Whether none of the latest looks has found a task that the one before has: they come and go.
  var isSuccession: Bool {
    let latest = looks.suffix(Self.shortest)
    guard latest.count == Self.shortest else { return false }
    return zip(latest, latest.dropFirst()).allSatisfy { Set($0).isDisjoint(with: $1) }
  }
}

/// Where a task that has ended was created.
struct TaskOrigin: Sendable {
  /// The name that it was given; nil when it had none.
  let name: String?
  /// The function that created it.
  let function: String
  /// The same with its line, where that is known.
  let functionWithLine: String
  /// The functions that it had begun in.
  let functions: [String]

  /// The origin of a task whose functions are known.
  init(of trace: TaskTrace) {
    (name, functions) = (trace.task.name, trace.frames.map(\.function))
    (function, functionWithLine) = (trace.origin ?? "", trace.originWithLine ?? "")
  }
}
