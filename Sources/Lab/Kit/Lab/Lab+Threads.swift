import MemlabHeapModel
import MemlabPlatform

extension Lab {
  /// Runs a body on several real threads at once and returns when all of them have ended.
  ///
  /// The cooperative pool has one thread for each processor. A demonstration that needs ten threads
  /// at the same time must start them itself.
  ///
  /// - Parameters:
  ///   - count: how many threads.
  ///   - body: what each does; its argument is the thread's place, from 0.
  public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ledger = ledger
    let threads = (0..<count).map { index in
      SystemThread.started { Ledger.$current.withValue(ledger) { body(index) } }
    }
    for thread in threads { thread.join() }
  }
}

extension SystemThread {
  // In bytes. glibc caches at most 40 MB of stacks, five of the usual size, and maps others anew.
  // Source: `stack_cache_maxsize` in nptl/allocatestack.c.
  private static let smallStack = 512 * 1024

  /// Starts one of memlab's own threads; traps where that is impossible, because nothing can be
  /// measured without it.
  static func started(_ body: @escaping @Sendable () -> Void) -> SystemThread {
    guard let thread = SystemThread(stackSize: smallStack, body) else {
      fatalError("no thread could be made")
    }
    return thread
  }
}
