import MemlabKit
import MemlabPatterns

/// A broadcaster whose endings are measured.
protocol BroadcasterUnderStudy<Element>: Actor {
  /// The type of its values.
  associatedtype Element: Sendable
  /// A new stream for one more consumer.
  func stream() -> AsyncStream<Element>
  /// Sends a value to all consumers.
  func yield(_ value: Element)
  /// Finishes all streams.
  func finish()
  /// How many continuations it keeps.
  var subscriberCount: Int { get }
}

extension AsyncBroadcastStream: BroadcasterUnderStudy {
  /// A stream without a limit of its buffer.
  func stream() -> AsyncStream<Element> { stream(bufferingPolicy: .unbounded) }
}
