import MemlabHeapModel

extension HeapTask {
  /// Whether the task has called `Task.yield()` and waits for its turn, on Linux; here nobody reads that.
  package var isYielding: Bool { false }
}
