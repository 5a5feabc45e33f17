import MemlabHeapModel
import MemlabRuntimeABI

extension HeapTask {
  /// Whether the runtime made the task to end a sleep: it has not begun, and what it will begin with is
  /// a function of Swift's own libraries. They make such a task for each `Task.sleep`.
  ///
  /// Assumes that one of the four words before a task's first context is the function that the task
  /// begins with (`FutureAsyncContextPrefix` in include/swift/ABI/Task.h). The others never lie in code.
  package var isAlarm: Bool {
    guard name == nil, !isFinished, !isChild, let pointer,
      let chain = ResumeChain(ofTask: pointer, limit: 2), chain.functions.count == 2,
      let context = MemoryCopy.pair(at: UInt(bitPattern: pointer) + abi.task.resumeContext)?.first
    else { return false }
    let words = (1...4).compactMap { MemoryCopy.pair(at: context &- $0 * Self.word)?.first }
    guard let start = words.first(where: LoadedSegments.current().isCode) else { return false }
    return Self.isOfLibrary(start)
  }

  private static let word = UInt(MemoryLayout<UInt>.size)

  // A stripped library has no symbol for it.
  private static func isOfLibrary(_ function: UInt) -> Bool {
    if let symbol = Symbolizer.shared.symbol(at: function), symbol.isLibrary { return true }
    let library = LoadedSegments.current().segment(at: function)?.name ?? ""
    return LibraryCode.contains(module: nil, library: library)
  }
}
