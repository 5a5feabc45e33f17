internal import HeapGraph

/// Waits until a check can be judged.
struct Settling {
  /// What is waited for.
  let scope: LeakScope
  /// How long at most.
  let limit: Duration

  private static let firstPause = Duration.milliseconds(2)
  private static let longestPause = Duration.milliseconds(200)
  private static let patience = 6

  /// Returns as soon as everything is gone, or as it is certain that something never will be.
  ///
  /// - Returns: nil when everything is gone.
  func run() async -> Finding? {
    for _ in 0..<16 {
      if scope.isSettled { return nil }
      await Task.yield()
    }
    return await lookRepeatedly(from: ContinuousClock.now)
  }

  // A second look must say the same as the first, for the heap changes while it is read. A thread
  // that is about to resume a task may have the continuation in a register: so one of the looks must
  // find all threads at rest, or they must agree for long.
  private func lookRepeatedly(from begin: ContinuousClock.Instant) async -> Finding? {
    var limit = limit
    var pause = Self.firstPause
    var agreement: Agreement?
    while true {
      let isLate = ContinuousClock.now >= begin + limit || Task.isCancelled
      if !isLate { await wait(pause) }
      if scope.isSettled { return nil }
      let start = ContinuousClock.now
      let look = await Self.look(at: scope)
      if scope.isSettled || look.isEmpty(scope) { return nil }
      let isCertain = agreement?.holds(for: look) == true
      // A task that waits for a thread is late because the machine is busy.
      let isSlow = isLate && limit == self.limit && look.isMoving && !Task.isCancelled
      if isSlow { limit *= Self.patience }
      if isCertain || isLate && !isSlow {
        return Finding(look: look, isCertain: isCertain, limit: limit)
      }
      agreement = Agreement(on: look, after: agreement)
      let cost = ContinuousClock.now - start
      pause = max(min(pause * 2, Self.longestPause), cost * 2)
      pause = min(pause, max(begin + limit - .now, .milliseconds(1)))
    }
  }

  // The last task's end is an event; an object's is not, on a platform without hooks for it.
  private func wait(_ pause: Duration) async {
    if scope.waitsForTasks, !scope.lastTaskEnded.isRaised {
      await scope.lastTaskEnded.wait(atMost: pause)
    } else {
      try? await Task.sleep(for: pause)
    }
  }

  private static func look(at scope: LeakScope) async -> Result<HeapLook, HeapUnreadable> {
    do throws(HeapUnreadable) {
      return .success(try await HeapLook.take(at: scope))
    } catch {
      return .failure(error)
    }
  }
}

/// What is left, when it was looked for the last time.
struct Finding {
  /// The heap at that time, or why it could not be read.
  let look: Result<HeapLook, HeapUnreadable>
  /// Whether nothing can change it any more; if not, the time was up.
  let isCertain: Bool
  /// How long was waited at most.
  let limit: Duration
}

extension LeakScope {
  /// Whether a task's end is worth waiting for.
  var waitsForTasks: Bool { tasks == .ofTheBody }

  /// Whether everything is gone, as far as can be told without the heap.
  var isSettled: Bool {
    switch tasks {
    case .none: survivors.isEmpty
    case .ofTheBody: lastTaskEnded.isRaised && survivors.isEmpty
    case .allAfter: false
    }
  }
}

extension Result<HeapLook, HeapUnreadable> {
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
