import MemlabPlatform

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
  ///   - whenIdle: how long otherwise, but no longer than the limit; nil for ``standard``.
  package init(limit: Duration, whenIdle: Duration? = nil) {
    self.limit = limit
    self.whenIdle = whenIdle ?? Self.standard
  }

  /// What `LEAKCHECK_PATIENCE` says, in seconds; a fifth of a second when it says nothing.
  package static let standard = duration(
    ProcessInfo.processInfo.environment["LEAKCHECK_PATIENCE"])

  /// The time that a text says, in seconds.
  package static func duration(_ seconds: String?) -> Duration {
    guard let seconds = seconds.flatMap(Double.init), seconds >= 0, seconds < 1e6 else {
      return .milliseconds(200)
    }
    return .seconds(seconds)
  }

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
  package func isOver(whenIdleFor paused: Duration) -> Bool {
    paused > .zero && paused >= whenIdle
  }

  /// How long the next pause may be at most when nothing was found to run.
  ///
  /// - Parameter paused: the pauses since.
  package func nextPause(whenIdleFor paused: Duration) -> Duration {
    max(.milliseconds(1), min(whenIdle - paused, .milliseconds(500)))
  }
}
