import MemlabHeapModel

extension HeapTask {
  /// Whether the runtime made the task to end a sleep, on Linux; here nobody reads that.
  package var isAlarm: Bool { false }
}
