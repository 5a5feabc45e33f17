import MemlabKit
import Synchronization

/// Which consumer has received which values.
final class Received: Sendable {
  private let numbers = Mutex<[String: [Int]]>([:])

  /// Enters every value of a sequence.
  ///
  /// - Parameter gate: what to wait for between subscribing and the first value.
  func enterAll(
    of values: some AsyncSequence<Message, Never>, by name: String, startingAt gate: Gate?
  ) async {
    var iterator = values.makeAsyncIterator()
    await gate?.opened()
    while let message = await iterator.next(isolation: nil) { enter(message, by: name) }
  }

  private func enter(_ message: Message, by name: String) {
    numbers.withLock { $0[name, default: []].append(message.number) }
    Ledger.current?.note("\(name) received")
  }

  /// Enters the figures: how many values each has received, and how many somebody has.
  func setMetrics(of ledger: Ledger) {
    let (a, b) = numbers.withLock { (Set($0["A", default: []]), Set($0["B", default: []])) }
    ledger.setMetric("receivedByA", a.count)
    ledger.setMetric("receivedByB", b.count)
    ledger.setMetric("union", a.union(b).count)
  }
}

/// Gone when every task has ended that was started within it, the library's own among them.
///
/// A task-local object is held by each task that inherits it, so this one counts tasks that nobody
/// has put a probe into.
final class Scope: Sendable {
  @TaskLocal private static var current: Scope?

  private let probe = Probe(Scope.self)

  /// Starts tasks within a new scope.
  static func around<Result>(_ start: () throws -> Result) rethrows -> Result {
    try $current.withValue(Scope(), operation: start)
  }
}

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
