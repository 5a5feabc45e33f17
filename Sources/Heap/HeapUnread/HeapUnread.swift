package import MemlabHeapModel

// MemlabHeapReader of the portable configuration: it says that the heap is not read. What it does
// not have, code above asks for only where MEMLAB_PORTABLE is not set.

extension HeapError {
  /// Why there is no snapshot here.
  package static var unread: HeapError { .unrecordable(HeapRecording.obstacle ?? "") }
}

/// The heap at one moment, on Linux; here nobody can take a snapshot.
package struct HeapSnapshot: Sendable {
  private let none: Never

  /// Does not read the heap.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package static func take() throws -> HeapSnapshot { throw HeapError.unread }
}

/// Finds out whether the heap trace can be trusted: here it cannot.
package enum HeapSelfCheck {
  /// Plants nothing.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  @discardableResult
  package static func run() throws -> [String] { throw HeapError.unread }
}

extension RuntimeTableCheck {
  /// Checks nothing.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package init() throws { throw HeapError.unread }
}

extension RuntimeFacts {
  /// False: this is the portable configuration.
  package static let readsHeap = false
  /// False: nobody asks.
  package static let namesLibraryFunctions = false
}

extension TaskTrace {
  /// Where a task waits is not read.
  package init(_ task: HeapTask, among others: [HeapTask], hiding modules: Set<String>) {
    self.init(task, nil, children: []) { _ in nil }
  }
}

extension HeapTask {
  /// Nil: a task's number is read from its memory.
  package static var current: (address: UInt, id: UInt64)? { nil }
  /// Whether the task has called `Task.yield()`: nobody reads that.
  package var isYielding: Bool { false }
}

/// The file of a program, on Linux; elsewhere no program is watched, so no file is read.
package enum ElfFile {
  /// No, whatever the files.
  package static func isUnstripped(_ file: String, of program: String) -> Bool { false }
}
