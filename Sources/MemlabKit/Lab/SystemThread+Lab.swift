import HeapGraph

extension SystemThread {
  // Of the usual 8 MB, glibc keeps five for the next threads and maps the rest anew.
  private static let smallStack = 512 * 1024

  /// Starts one of memlab's own threads, without which nothing can be measured.
  static func started(_ body: @escaping @Sendable () -> Void) -> SystemThread {
    guard let thread = SystemThread(stackSize: smallStack, body) else {
      fatalError("no thread could be made")
    }
    return thread
  }
}
