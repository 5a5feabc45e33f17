import MemlabPlatform
import Synchronization

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
  init(for scope: LeakScope) { self.scope = scope }

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
    if scope.hasUnfinishedTasks {
      let step = min(pause, Self.longestForTasks)
      paused += step
      await scope.lastTaskEnded.wait(atMost: step)
    } else {
      let step = min(pause, max(Self.shortest, min(duration / 10, Self.longest)))
      paused += step
      await Self.sleep(step)
    }
  }

  // A cancelled task cannot sleep, but it can wait for an event that does not happen.
  private static func sleep(_ pause: Duration) async {
    if Task.isCancelled { return await Signal().wait(atMost: pause) }
    try? await Task.sleep(for: pause)
  }
}

/// How long a check waits for what may yet end.
package struct Patience: Sendable {
  /// How long at most.
  let limit: Duration
  private let whenIdle: Duration

  private static let limitsForTasks = 6

  /// The patience of a check.
  ///
  /// - Parameters:
  ///   - limit: how long it waits while something may still run that it has begun.
  ///   - whenIdle: how long otherwise, but no longer than the limit; nil for what
  ///     `LEAKCHECK_PATIENCE` says, in seconds, or a fifth of a second.
  package init(limit: Duration, whenIdle: Duration? = nil) {
    (self.limit, self.whenIdle) = (limit, whenIdle ?? Self.standard)
  }

  private static let standard: Duration = {
    let text = ProcessInfo.processInfo.environment["LEAKCHECK_PATIENCE"]
    guard let seconds = text.flatMap(Double.init), seconds >= 0, seconds < 1e6 else {
      return .milliseconds(200)
    }
    return .seconds(seconds)
  }()

  /// Whether it has waited for long enough.
  ///
  /// The pauses that were asked for count, not the time that they took: a busy machine delays the
  /// check and what it waits for alike.
  ///
  /// - Parameters:
  ///   - waited: the time since the check began to wait.
  ///   - paused: the sum of the pauses that it requested.
  ///   - isMoving: whether a task runs, or waits for a thread. It may be late because the machine
  ///     is busy, but it might also run forever.
  package func isOver(after waited: Duration, paused: Duration, isMoving: Bool) -> Bool {
    paused >= limit && (!isMoving || waited >= limit * Self.limitsForTasks)
  }

  /// Whether it has waited for long enough after nothing was found to run any more.
  ///
  /// - Parameter paused: the pauses since.
  package func isOver(whenIdleFor paused: Duration) -> Bool { paused > .zero && paused >= whenIdle }

  /// How long the next pause may be at most when nothing was found to run.
  ///
  /// - Parameter paused: the pauses since.
  package func nextPause(whenIdleFor paused: Duration) -> Duration {
    max(.milliseconds(1), min(whenIdle - paused, .milliseconds(500)))
  }
}

/// An event that happens once, and that one task waits for.
package final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// An event that has not happened yet.
  package init() {}

  /// Whether the event has happened.
  package var isRaised: Bool { state.withLock { $0.isRaised } }

  /// Reports that the event has happened.
  package func raise() {
    state.withLock { $0.isRaised = true }
    wake()
  }

  /// Waits for the event, but no longer than a limit. One task may wait at a time.
  package func wait(atMost limit: Duration) async {
    var timer: Task<Void, Never>?
    await withUnsafeContinuation { continuation in
      let isRaised = state.withLock { state in
        if !state.isRaised { state.waiter = continuation }
        return state.isRaised
      }
      if isRaised { return continuation.resume() }
      // Start the timer only after the task waits: a timer that fired earlier would wake nothing.
      timer = Task.detached { [self] in
        if (try? await Task.sleep(for: limit)) != nil { wake() }
      }
    }
    timer?.cancel()
  }

  private func wake() { state.withLock { $0.waiter.take() }?.resume() }
}
