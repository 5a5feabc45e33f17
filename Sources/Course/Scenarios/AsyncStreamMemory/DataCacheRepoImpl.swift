import MemlabKit
import Synchronization

/// The repository, which the document does not show. It hands out streams of changes and never ends
/// them by itself, like the cache of a whole app.
final class DataCacheRepoImpl: DataCacheRepo, Sendable {
  private let probe = Probe(DataCacheRepoImpl.self)
  private let continuations = Mutex<[AsyncThrowingStream<Void, any Error>.Continuation]>([])

  /// A new stream for each subscriber.
  var didChangeDataCache: AsyncThrowingStream<Void, any Error> {
    get async {
      AsyncThrowingStream { continuation in continuations.withLock { $0.append(continuation) } }
    }
  }

  /// How many streams have been handed out.
  var subscribers: Int { continuations.withLock { $0.count } }

  /// Sends a change to every subscriber.
  func sendChange() {
    for continuation in continuations.withLock({ $0 }) { continuation.yield() }
  }

  /// Finishes every subscriber's stream.
  func finish() {
    for continuation in continuations.withLock({ $0 }) { continuation.finish() }
  }
}
