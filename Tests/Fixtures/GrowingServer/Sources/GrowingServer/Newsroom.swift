import Synchronization

/// Sends each headline to all who listen.
final class Newsroom: Sendable {
  private typealias Listeners = [Int: AsyncStream<String>.Continuation]
  private let listeners = Mutex<(next: Int, all: Listeners)>((0, [:]))

  /// The headlines from now on.
  func headlines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  /// Sends a headline.
  func publish(_ headline: String) {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(headline) }
  }

  private func remove(_ number: Int) {
    _ = listeners.withLock { $0.all.removeValue(forKey: number) }
  }
}
