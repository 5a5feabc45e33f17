/// How long a check waits for tasks and objects that may still end.
package struct Patience {
  private let limit: Duration

  private static let limitsForTasks = 6

  /// The patience of a check with a limit.
  package init(limit: Duration) { self.limit = limit }

  /// Whether it has waited for long enough.
  ///
  /// Counts requested pauses, not wall time: a loaded machine delays the check and the code under
  /// test alike.
  ///
  /// - Parameters:
  ///   - waited: the time since the check began to wait.
  ///   - paused: the sum of the pauses that it requested.
  ///   - isMoving: whether a task runs, or waits for a thread. It may be late because the machine
  ///     is busy, but it might also run forever.
  package func isOver(after waited: Duration, paused: Duration, isMoving: Bool) -> Bool {
    paused >= limit && (!isMoving || waited >= limit * Self.limitsForTasks)
  }
}
