/// Everything that is known at the end of a trial.
public struct Measurement: Sendable {
  /// What the ledger counted.
  public let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?

  /// How many retain cycles the heap has; nil where it cannot be read.
  public var cycles: Int? { heap?.cycles }

  /// The count of one type.
  public func object(_ type: String) -> ObjectCount { totals.object(type) }

  /// The count of one task name.
  public func task(_ name: String) -> TaskCount { totals.task(name) }

  /// A scenario's own figure; zero when it was not entered.
  public func metric(_ name: Metric) -> Int { totals.metrics[name, default: 0] }
}
