import MemlabKit
import Synchronization

/// The results of calls that each raise a number by one, starting from 1.
///
/// If two calls have the same result, one of the two updates is lost.
final class Results: Sendable {
  private let values = Mutex<[Int]>([])

  /// Adds what a call has returned.
  func add(_ value: Int) { values.withLock { $0.append(value) } }

  /// Enters the number of calls, the number of lost updates and the final number.
  func enter(into lab: Lab) {
    let values = values.withLock { $0 }
    lab.ledger.setMetric("writers", values.count)
    lab.ledger.setMetric(.lostUpdates, values.count - Set(values).count)
    lab.ledger.setMetric("finalX", values.max() ?? 1)
  }
}
