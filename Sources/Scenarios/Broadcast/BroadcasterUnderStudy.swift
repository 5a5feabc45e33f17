import MemlabKit
import Patterns

/// A broadcaster that the endings of document 002 can be played on.
protocol BroadcasterUnderStudy<Element>: Actor {
  associatedtype Element: Sendable
  func stream() -> AsyncStream<Element>
  func yield(_ value: Element)
  func finish()
  /// How many continuations it keeps.
  var subscriberCount: Int { get }
}

extension AsyncBroadcastStream: BroadcasterUnderStudy {
  func stream() -> AsyncStream<Element> { stream(bufferingPolicy: .unbounded) }
}
