import MemlabKit
import Synchronization

/// A library in the style before async/await: downloads that call back when they are answered.
final class Downloads: Sendable {
  /// Receives the answer; nil when there is none.
  typealias Callback = @Sendable (Int?) -> Void

  private let open = Mutex<[Int: Callback]>([:])

  /// Begins a download.
  func begin(_ id: Int, _ callback: @escaping Callback) {
    open.withLock { $0[id] = callback }
    Ledger.current?.note("download begun")
  }

  /// Ends a download without calling back.
  ///
  /// - Returns: the callback, which the caller may call; nil if the download is not open.
  @discardableResult
  func take(_ id: Int) -> Callback? { open.withLock { $0.removeValue(forKey: id) } }

  /// Answers every open download.
  func answer() { for id in open.withLock({ Array($0.keys) }) { take(id)?(id) } }
}

extension Downloads {
  // Unsafe continuations, because checked ones write to the standard error when they are abandoned.

  // snippet:code
  func image(_ id: Int = 1) async -> Int? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        begin(id) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      take(id)
    }
  }
  // snippet:end

  // snippet:fix
  func imageOrNil(_ id: Int = 1) async -> Int? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        begin(id) { continuation.resume(returning: $0) }
        if Task.isCancelled { take(id)?(nil) }
      }
    } onCancel: {
      take(id)?(nil)
    }
  }
  // snippet:end
}
