import HeapGraph

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
