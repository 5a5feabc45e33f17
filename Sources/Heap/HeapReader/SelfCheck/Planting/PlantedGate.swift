import MemlabHeapModel
import Synchronization

/// Where planted tasks wait until the check is over.
final class PlantedGate: Sendable {
  private let waiting = Mutex<[UnsafeContinuation<Void, Never>]?>([])

  /// Suspends the calling task until ``open()``.
  func pass() async {
    await withUnsafeContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets every task pass, now and from now on.
  func open() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }
}
