import Synchronization

/// The headlines of one source, to everyone who listens.
public final class Feed: Sendable {
  private let listeners = Mutex<[Int: AsyncStream<String>.Continuation]>([:])

  /// A feed that nobody listens to.
  public init() {}

  deinit { for listener in listeners.withLock({ $0.values }) { listener.finish() } }

  /// The headlines from now on; ends with the feed.
  public func headlines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    listeners.withLock { $0[$0.count] = continuation }
    return stream
  }

  /// Tells all listeners.
  public func publish(_ headline: String) {
    for listener in listeners.withLock({ $0.values }) { listener.yield(headline) }
  }
}
