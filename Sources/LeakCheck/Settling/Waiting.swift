/// Waits for the end of what a check judges, and knows for how long.
struct Waiting {
  private let scope: LeakScope
  private let begin = ContinuousClock.now
  /// How long it was to wait, step by step. A step that took longer than it should have was taken by
  /// other things that the machine has to do, and so much later is what is waited for.
  private(set) var paused = Duration.zero

  private static let shortest = Duration.milliseconds(1)
  private static let longest = Duration.milliseconds(20)
  private static let longestForTasks = Duration.milliseconds(100)

  /// A wait for the tasks and objects of a check, which begins now.
  init(for scope: LeakScope) {
    self.scope = scope
  }

  /// How long since the beginning.
  var duration: Duration { ContinuousClock.now - begin }

  /// Waits until everything is gone, but no longer than a pause. Does so in a cancelled test too.
  mutating func isSettled(within pause: Duration) async -> Bool {
    let end = paused + pause
    while !scope.isSettled {
      guard paused < end else { return false }
      await wait(atMost: end - paused)
    }
    return true
  }

  // The last task's end is an event; an object's is not, on a platform without hooks for it. It is
  // noticed late by no more than a tenth of what was waited for it.
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
  // A cancelled task cannot sleep, but wait for an event that does not happen.
  private static func sleep(_ pause: Duration) async {
    if Task.isCancelled { return await Signal().wait(atMost: pause) }
    try? await Task.sleep(for: pause)
  }
}

extension LeakScope {
  /// Whether a task's end is worth waiting for.
  var waitsForTasks: Bool { tasks == .ofTheBody }

  /// Whether nothing but the heap tells that everything is gone.
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
