/// Waits until the tasks and objects of a check have ended, and counts the time.
struct Waiting {
  private let scope: LeakScope
  private let begin = ContinuousClock.now
  /// The sum of the requested pauses. When a pause takes longer than requested, the machine is
  /// busy, and the code under test is late for the same reason.
  private(set) var paused = Duration.zero

  private static let shortest = Duration.milliseconds(1)
  private static let longest = Duration.milliseconds(20)
  private static let longestForTasks = Duration.milliseconds(100)

  /// Begins to wait for the tasks and objects of a check.
  init(for scope: LeakScope) {
    self.scope = scope
  }

  /// The time since the beginning.
  var duration: Duration { ContinuousClock.now - begin }

  /// Waits until everything is gone, but no longer than a pause. It also waits in a cancelled test.
  mutating func isSettled(within pause: Duration) async -> Bool {
    let end = paused + pause
    while !scope.isSettled {
      guard paused < end else { return false }
      await wait(atMost: end - paused)
    }
    return true
  }

  // The end of the last task is an event. The end of an object is not, because this platform has no
  // hook for it. It is noticed late by at most a tenth of the time that was waited for it.
  private mutating func wait(atMost pause: Duration) async {
    if scope.waitsForTasks, !scope.lastTaskEnded.isRaised {
      let step = min(pause, Self.longestForTasks)
      paused += step
      await scope.lastTaskEnded.wait(atMost: step)
    } else {
      let step = min(pause, max(Self.shortest, min(duration / 10, Self.longest)))
      paused += step
      await Self.sleep(step)
    }
  }
}

extension Waiting {
  // A cancelled task cannot sleep, but it can wait for an event that does not happen.
  private static func sleep(_ pause: Duration) async {
    if Task.isCancelled { return await Signal().wait(atMost: pause) }
    try? await Task.sleep(for: pause)
  }
}

extension LeakScope {
  /// Whether a task's end is worth waiting for.
  var waitsForTasks: Bool { tasks == .ofTheBody }

  /// Whether only the heap can tell that everything is gone.
  var needsHeap: Bool {
    if case .allAfter = tasks { true } else { false }
  }

  /// Whether everything is gone, as far as can be told without the heap.
  var isSettled: Bool {
    switch tasks {
    case .none: survivors.isEmpty
    case .ofTheBody: lastTaskEnded.isRaised && survivors.isEmpty
    case .allAfter: false
    }
  }
}
