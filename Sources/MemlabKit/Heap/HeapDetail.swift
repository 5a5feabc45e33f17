/// How much a trial's report says of the heap.
public enum HeapDetail: Sendable {
  /// What is alive and who holds it: all that a scenario declares.
  case holders
  /// Also every reference on the way, where in the code each task waits, and what a leak costs:
  /// naming functions takes longer than all the rest.
  case everything
}
