/// Everything that is known at the end of a trial.
package struct Measurement: Sendable {
  /// What the ledger counted.
  package let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?

  /// The count of one type.
  package func object(_ type: String) -> ObjectCount { totals.object(type) }

  /// The count of one task name.
  package func task(_ name: String) -> TaskCount { totals.task(name) }

  /// A scenario's own figure; zero when it was not entered.
  package func metric(_ name: Metric) -> Int { totals.metrics[name, default: 0] }
}
