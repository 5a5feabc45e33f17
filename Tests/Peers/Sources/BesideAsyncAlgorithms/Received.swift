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
