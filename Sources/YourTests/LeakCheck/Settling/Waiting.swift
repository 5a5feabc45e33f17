import MemlabPlatform
import Synchronization

/// Waits until the tasks and objects of a check have ended, and counts the time.
struct Waiting {
  private let scope: LeakScope
  private let begin = ContinuousClock.now
  // How long the process was stopped meanwhile, as in a debugger, as far as that shows.
  private var stopped = Duration.zero
  /// The sum of the requested pauses. When a pause takes longer than requested, the machine is
  /// busy, and the code under test is late for the same reason.
  private(set) var paused = Duration.zero

  private static let shortest = Duration.milliseconds(1)
  private static let longest = Duration.milliseconds(20)
  private static let longestForTasks = Duration.milliseconds(100)
  // No pause is so late because the machine is busy.
  private static let latest = Duration.milliseconds(500)

  /// Begins to wait for the tasks and objects of a check.
  init(for scope: LeakScope) { self.scope = scope }

  /// The time since the beginning, without that when the process was stopped.
  var duration: Duration { ContinuousClock.now - begin - stopped }

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
    let start = ContinuousClock.now
    defer { stopped += max(.zero, ContinuousClock.now - start - pause - Self.latest) }
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

  // By the clock, the limit may be passed once more, and more often where a thread is waited for.
  private static let (limits, limitsWhenLate) = (2, 6)
  // Rings, and tasks that start one another, show at several looks only.
  private static let fewestLooks = 6

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
    guard let text = setting("LEAKCHECK_PATIENCE") else { return .milliseconds(200) }
    if let seconds = Double(text), seconds >= 0, seconds < 1e6 { return .seconds(seconds) }
    LeakSummary.print("LEAKCHECK_PATIENCE is \(text): it must be seconds, such as 0.5\n")
    return .milliseconds(200)
  }()

  /// Whether it has waited for long enough.
  ///
  /// The pauses that were asked for count, not the time that they took: a busy machine delays the
  /// check and what it waits for alike. But nobody waits for more than twice the limit, unless it is for
  /// a thread.
  ///
  /// - Parameters:
  ///   - waited: the time since the check began to wait.
  ///   - paused: the sum of the pauses that it requested.
  ///   - looks: how often it has looked at the heap. The clock does not count before that was often.
  ///   - isMoving: whether a task runs, or waits for a thread: it may end, or go on forever.
  ///   - isLate: whether it waits for a thread. It may be late because the machine is busy.
  package func isOver(
    after waited: Duration, paused: Duration, looks: Int, isMoving: Bool, isLate: Bool
  ) -> Bool {
    if paused >= limit && !isMoving { return true }
    let most = limit * (isLate ? Self.limitsWhenLate : Self.limits)
    return waited >= most && (looks >= Self.fewestLooks || paused >= most)
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

  /// The name of the tasks that end a wait.
  static let nameOfTimers = "LeakCheck timer"

  /// An event that has not happened yet.
  package init() {}

  /// Whether the event has happened.
  package var isRaised: Bool { state.withLock { $0.isRaised } }

  /// Reports that the event has happened.
  package func raise() {
    state.withLock { $0.isRaised = true }
    wake()
  }

  /// Waits for the event, but no longer than a limit, where there is one. One task may wait at a time.
  package func wait(atMost limit: Duration? = nil) async {
    var timer: Task<Void, Never>?
    await withUnsafeContinuation { continuation in
      guard keep(continuation) else { return continuation.resume() }
      guard let limit else { return }
      // Start the timer only after the task waits: a timer that fired earlier would wake nothing.
      timer = Task.detached(name: Self.nameOfTimers) { [self] in
        if (try? await Task.sleep(for: limit)) != nil { wake() }
      }
    }
    timer?.cancel()
  }

  /// Keeps who waits, unless the event has happened.
  private func keep(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      if !state.isRaised { state.waiter = continuation }
      return !state.isRaised
    }
  }

  private func wake() { state.withLock { $0.waiter.take() }?.resume() }
}
