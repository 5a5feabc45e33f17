/// How long a check waits for what may yet end.
package struct Patience {
  private let limit: Duration

  private static let limitsForTasks = 6

  /// The patience of a check with a limit.
  package init(limit: Duration) { self.limit = limit }

  /// Whether it has waited for long enough.
  ///
  /// Time that a busy machine took is none that the check has waited: what it waits for had none either.
  ///
  /// - Parameters:
  ///   - waited: the time since it began.
  ///   - paused: how much of that it was to wait.
  ///   - isMoving: whether a task runs, or waits for a thread. It is late because the machine is busy,
  ///     but it might go on for ever.
  package func isOver(after waited: Duration, paused: Duration, isMoving: Bool) -> Bool {
    paused >= limit && (!isMoving || waited >= limit * Self.limitsForTasks)
  }
}
