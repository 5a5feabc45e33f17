import MemlabKit

extension RelayEndings {
  /// The counts of one relay, two consumers and the tasks that send.
  ///
  /// The relay goes whenever it is dropped, for no consumer holds it, and so does every value.
  ///
  /// - Parameters:
  ///   - a: how many values A has received.
  ///   - b: how many values B has received.
  ///   - union: how many values somebody has received.
  ///   - sent: how many values were sent.
  ///   - senders: how many tasks have sent them.
  ///   - ends: whether A and B end, and with them every task that the library has started.
  ///   - meanwhile: how many values A has received before B begins to take any.
  func declare(
    _ verdict: Verdict = .clean, a: Int, b: Int, union: Int, sent: Int, senders: Int = 1,
    ends: Bool = true, meanwhile: Int? = nil
  ) -> Declaration {
    var metrics: [Metric: Int] = ["receivedByA": a, "receivedByB": b, "union": union]
    metrics["receivedByAMeanwhile"] = meanwhile
    let ended = ends ? 1 : 0
    return Declaration(
      verdict,
      objects: [
        ObjectCount("\(Studied.self)", created: 1, deinitialized: 1),
        ObjectCount("Scope", created: 1, deinitialized: ended),
        ObjectCount("Message", created: sent, deinitialized: sent),
      ],
      tasks: [
        TaskCount("A", started: 1, finished: ended), TaskCount("B", started: 1, finished: ended),
        TaskCount("sender", started: senders, finished: senders),
      ], metrics: metrics)
  }
}
