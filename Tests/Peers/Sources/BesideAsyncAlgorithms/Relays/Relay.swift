import MemlabKit

/// A way to bring one source's values to several consumers: the pattern, or a peer's answer.
protocol Relay: AnyObject, Sendable {
  /// A relay without consumers.
  init()

  /// What a consumer iterates.
  func values() async -> any AsyncSequence<Message, Never> & Sendable
  /// Sends a value; returns when the relay is ready for the next.
  func send(_ message: Message) async
  /// Ends the source.
  func finish() async
}

/// A value that is counted, so that what a buffer keeps can be.
final class Message: Sendable {
  /// Its place among the values sent, from 1.
  let number: Int
  private let probe = Probe(Message.self)

  /// The value at this place.
  init(_ number: Int) { self.number = number }
}
