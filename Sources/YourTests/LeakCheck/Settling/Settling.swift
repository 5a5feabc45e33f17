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

  // A second reading must confirm the first one, because the heap changes while it is read.
  private func lookRepeatedly() async -> Finding? {
    var waiting = Waiting(for: scope)
    let limit = patience.limit
    var pause = min(firstPause, limit)
    var lost: [UInt64]?
    var idleSince: Duration?
    var trail = TaskTrail()
    while true {
      if await waiting.isSettled(within: pause) { return nil }
      guard let look = await look(&waiting) else { return nil }
      if case .success(let look) = look { scope.forgetSharedObjects(in: look.snapshot) }
      if scope.isSettled || look.isEmpty(scope) { return nil }
      if let final = look.final, final == lost { return Finding(look: look, reason: .certain) }
      lost = look.final
      idleSince = look.isIdle ? idleSince ?? waiting.paused : nil
      if let idleSince, patience.isOver(whenIdleFor: waiting.paused - idleSince) {
        return Finding(look: look, reason: .idle(waiting.paused))
      }
      if case .success(let look) = look { trail.add(look.traces) }
      let isMoving = look.isMoving && !trail.isSuccession
      if let reason = reasonToStop(after: waiting, isMoving: isMoving) {
        return Finding(look: look, reason: reason, trail: trail)
      }
      pause = max(min(pause * 2, Self.longestPause), pauseAfterSlowLook)
      // One more look, when the patience is over: an object's end is noticed without.
      if let idleSince { pause = patience.nextPause(whenIdleFor: waiting.paused - idleSince) }
      if waiting.paused < limit { pause = min(pause, limit - waiting.paused) }
    }
  }

  // Most tasks that end a little later end before a reading would, so that no reading is needed.
  private var firstPause: Duration {
    scope.needsHeap
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
    after waiting: Waiting, isMoving: Bool
  ) -> Finding.Reason? {
    let (isCancelled, limit) = (Task.isCancelled, currentLimit)
    let waited = waiting.duration
    let patience = Patience(limit: limit)
    guard patience.isOver(after: waited, paused: waiting.paused, isMoving: isMoving) else {
      return nil
    }
    if isCancelled { return .cancelled }
    return .timeIsUp(limit > .zero ? limit * max(1, Int(waited / limit)) : limit)
  }

  // Nil if everything is gone before it is this check's turn.
  private func look(_ waiting: inout Waiting) async -> Result<HeapLook, UnreadHeap>? {
    while !HeapReadTurn.begin() {
      if await waiting.isSettled(within: .milliseconds(5)) { return nil }
    }
    do throws(UnreadHeap) {
      return .success(try await HeapLook.take(at: scope, within: patience.limit))
    } catch {
      return .failure(error)
    }
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

extension Result<HeapLook, UnreadHeap> {
  /// The tasks that can certainly never end; nil if nothing is certain.
  fileprivate var final: [UInt64]? {
    guard case .success(let look) = self, look.isFinal else { return nil }
    return look.tasks.map(\.id)
  }

  /// Whether nothing that the check has begun may still run.
  fileprivate var isIdle: Bool {
    if case .success(let look) = self { look.isIdle } else { false }
  }

  /// Whether a task that is judged goes on as soon as it can.
  fileprivate var isMoving: Bool {
    if case .success(let look) = self { look.isMoving } else { false }
  }

  /// Whether the heap has no task left that a whole-process check judges.
  fileprivate func isEmpty(_ scope: LeakScope) -> Bool {
    guard case .allAfter = scope.tasks, case .success(let look) = self else { return false }
    return look.tasks.isEmpty && scope.survivors.isEmpty && !scope.hasRingsToSee
  }
}
