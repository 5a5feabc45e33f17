import Synchronization

/// A sum that several threads add to.
final class SharedSum: Sendable {
  private let sum = Atomic(0)

  /// What has been added.
  var value: Int { sum.load(ordering: .relaxed) }

  /// Adds to the sum.
  func add(_ amount: Int) { sum.add(amount, ordering: .relaxed) }
}
