import MemlabKit
import Synchronization

/// The results of calls that each raise a number by one, starting from 1.
///
/// Where two calls have the same result, the update of one of them is lost.
final class Results: Sendable {
  private let values = Mutex<[Int]>([])

  /// Adds what a call has returned.
  func add(_ value: Int) { values.withLock { $0.append(value) } }

  /// Enters how many calls there were, how many updates were lost and where the number ended.
  func enter(into lab: Lab) {
    let values = values.withLock { $0 }
    lab.ledger.setMetric("writers", values.count)
    lab.ledger.setMetric(.lostUpdates, values.count - Set(values).count)
    lab.ledger.setMetric("finalX", values.max() ?? 1)
  }
}
