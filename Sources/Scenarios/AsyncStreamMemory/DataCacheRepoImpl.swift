import MemlabKit
import Synchronization

/// The repository that the document leaves to the reader: it hands out streams of changes and never
/// ends them by itself, as an app-wide cache would not.
final class DataCacheRepoImpl: DataCacheRepo, Sendable {
  private let probe = Probe(DataCacheRepoImpl.self)
  private let continuations = Mutex<[AsyncThrowingStream<Void, any Error>.Continuation]>([])

  var didChangeDataCache: AsyncThrowingStream<Void, any Error> {
    get async {
      AsyncThrowingStream { continuation in
        continuations.withLock { $0.append(continuation) }
      }
    }
  }

  /// How many streams have been handed out.
  var subscribers: Int { continuations.withLock { $0.count } }

  /// Tells every subscriber of a change.
  func sendChange() {
    for continuation in continuations.withLock({ $0 }) { continuation.yield() }
  }

  /// Ends every subscriber's stream.
  func finish() {
    for continuation in continuations.withLock({ $0 }) { continuation.finish() }
  }
}
