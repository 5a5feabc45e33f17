import MemlabKit

extension Declaration {
  /// The counts of one broadcaster, of two subscribers and of the tasks that remove them.
  ///
  /// - Parameters:
  ///   - broadcaster: how many broadcasters are deinitialised, 0 or 1.
  ///   - subscribers: how many of the two subscribers have finished.
  ///   - removals: how many removals were started, and have finished.
  ///   - publisher: whether the document's publisher ran.
  static func broadcast(
    _ verdict: Verdict, broadcaster: Int, subscribers: Int, removals: Int,
    publisher: Bool = false, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [ObjectCount("AsyncBroadcastStream<Int>", created: 1, deinitialized: broadcaster)],
      tasks: [
        TaskCount("A", started: 1, finished: subscribers / 2),
        TaskCount("B", started: 1, finished: subscribers / 2),
      ] + (publisher ? [TaskCount("publisher", started: 1, finished: 1)] : [])
        + (removals > 0 ? [TaskCount("removal", started: removals, finished: removals)] : []),
      metrics: metrics)
  }
}
