internal import HeapGraph

/// Waits until a check can be judged.
struct Settling {
  /// What is waited for.
  let scope: LeakScope
  /// How long at most.
  let limit: Duration

  private static let longestPause = Duration.milliseconds(200)
  // Who cancels a test may want it to end, and who cancels a body wants to see what that leaves.
  private static let graceWhenCancelled = Duration.seconds(2)

  /// Returns as soon as everything is gone, or as it is certain that something never will be.
  ///
  /// - Returns: nil when everything is gone.
  func run() async -> Finding? {
    for _ in 0..<16 {
      if scope.isSettled { return nil }
      await Task.yield()
    }
    return await lookRepeatedly()
  }

  // A second look must say the same as the first, for the heap changes while it is read.
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

  // Most of what ends a little later ends before a look would, and then no heap is read at all.
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

  // Nil when everything is gone before it is this check's turn.
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

/// What is left, when it was looked for the last time.
struct Finding {
  /// The heap at that time, or why it could not be read.
  let look: Result<HeapLook, UnreadHeap>
  /// Why nothing is waited for any more.
  let reason: Reason

  /// Why a check stops waiting.
  enum Reason {
    /// Nothing can end what is left.
    case certain
    /// So long was waited, in whole limits.
    case timeIsUp(Duration)
    /// The test was cancelled, and has waited for a while.
    case cancelled
  }
}

extension Result<HeapLook, UnreadHeap> {
  /// The tasks that are certain never to end; nil when nothing is certain.
  fileprivate var final: [UInt64]? {
    guard case .success(let look) = self, look.isFinal else { return nil }
    return look.tasks.map(\.id)
  }

  /// Whether a task that is judged goes on as soon as it can.
  fileprivate var isMoving: Bool {
    if case .success(let look) = self { look.isMoving } else { false }
  }

  /// Whether the heap has nothing left of what a whole-process check judges.
  fileprivate func isEmpty(_ scope: LeakScope) -> Bool {
    guard case .allAfter = scope.tasks, case .success(let look) = self else { return false }
    return look.tasks.isEmpty && scope.survivors.isEmpty
  }
}
