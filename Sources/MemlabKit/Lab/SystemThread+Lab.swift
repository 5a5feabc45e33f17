import HeapGraph

extension SystemThread {
  // In bytes. glibc caches at most 40 MB of stacks, five of the usual size, and maps others anew.
  // Source: `stack_cache_maxsize` in nptl/allocatestack.c.
  private static let smallStack = 512 * 1024

  /// Starts one of memlab's own threads; traps where that is impossible, for nothing can be measured
  /// without it.
  static func started(_ body: @escaping @Sendable () -> Void) -> SystemThread {
    guard let thread = SystemThread(stackSize: smallStack, body) else {
      fatalError("no thread could be made")
    }
    return thread
  }
}
