internal import HeapGraph

/// Waits until a check can be judged.
struct Settling {
  /// What the check waits for.
  let scope: LeakScope
  /// How long it waits at most.
  let limit: Duration

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
    var pause = min(firstPause, limit)
    var lost: [UInt64]?
    while true {
      if await waiting.isSettled(within: pause) { return nil }
      guard let look = await look(&waiting) else { return nil }
      if case .success(let look) = look { scope.forgetSharedObjects(in: look.snapshot) }
      if scope.isSettled || look.isEmpty(scope) { return nil }
      if let final = look.final, final == lost { return Finding(look: look, reason: .certain) }
      lost = look.final
      if let reason = reasonToStop(at: look, after: waiting) {
        return Finding(look: look, reason: reason)
      }
      pause = max(min(pause * 2, Self.longestPause), HeapReadTurn.latestDuration * 2)
      if waiting.paused < limit { pause = min(pause, limit - waiting.paused) }
    }
  }

  // Most tasks that end a little later end before a reading would, so that no reading is needed.
  private var firstPause: Duration {
    scope.needsHeap
      ? .milliseconds(2) : max(.milliseconds(10), min(HeapReadTurn.latestDuration, .seconds(1)))
  }

  private func reasonToStop(
    at look: Result<HeapLook, UnreadHeap>, after waiting: Waiting
  ) -> Finding.Reason? {
    let isCancelled = Task.isCancelled
    let limit = isCancelled ? min(limit, Self.graceWhenCancelled) : limit
    let waited = waiting.duration
    let patience = Patience(limit: limit)
    guard patience.isOver(after: waited, paused: waiting.paused, isMoving: look.isMoving) else {
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
      return .success(try await HeapLook.take(at: scope))
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

  /// Why a check stops waiting.
  enum Reason {
    /// Nothing can end the tasks and objects that are left.
    case certain
    /// The check waited for this many limits.
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

  /// Whether a judged task runs, or only waits for a thread.
  fileprivate var isMoving: Bool {
    if case .success(let look) = self { look.isMoving } else { false }
  }

  /// Whether the heap has no task left that a whole-process check judges.
  fileprivate func isEmpty(_ scope: LeakScope) -> Bool {
    guard case .allAfter = scope.tasks, case .success(let look) = self else { return false }
    return look.tasks.isEmpty && scope.survivors.isEmpty
  }
}
