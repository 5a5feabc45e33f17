import Dispatch
import Foundation
import MemlabHeapModel

/// A moment of the process. Without a heap, nothing is compared with it.
package final class HeapMoment: Sendable {
  /// Zero.
  package let serial: UInt64 = 0

  /// Now.
  package init() {}
}

extension HeapTask {
  /// Nil: a task's number is read from its memory.
  package static var current: (address: UInt, id: UInt64)? { nil }
}

/// A thread of the operating system that runs one closure.
package struct SystemThread {
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackSize: in bytes; the system's own choice when nil.
  ///   - body: what it runs.
  package init?(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let work = Work(body)
    let thread = Thread { [hasEnded] in
      work.runOnce()
      hasEnded.signal()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }

  /// Waits until the closure has returned.
  package func join() { hasEnded.wait() }

  /// Lets the thread end by itself.
  package func detach() {}

  // Thread keeps its block for a while after the block has returned. What the closure has captured
  // must be gone when `join` returns, as it is on Linux.
  private final class Work: @unchecked Sendable {
    private var body: (@Sendable () -> Void)?

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    @inline(never) func runOnce() { self.body.take()?() }
  }
}
