import AsyncAlgorithms
import MemlabKit
import MemlabPatterns

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

/// The actor in `Patterns`: a stream for each consumer.
final class BroadcastRelay: Relay {
  private let broadcaster = AsyncBroadcastStream<Message>()
  private let probe = Probe(BroadcastRelay.self)

  func values() async -> any AsyncSequence<Message, Never> & Sendable { await broadcaster.stream() }
  func send(_ message: Message) async { await broadcaster.yield(message) }
  func finish() async { await broadcaster.finish() }
}

/// `AsyncChannel` of swift-async-algorithms.
final class ChannelRelay: Relay {
  private let channel = AsyncChannel<Message>()
  private let probe = Probe(ChannelRelay.self)

  func values() async -> any AsyncSequence<Message, Never> & Sendable { channel }
  func send(_ message: Message) async { await channel.send(message) }
  func finish() async { channel.finish() }
}

/// `share()` of swift-async-algorithms, over an `AsyncStream` that values are put into.
final class ShareRelay: Relay {
  private let shared: any AsyncSequence<Message, Never> & Sendable
  private let continuation: AsyncStream<Message>.Continuation
  private let probe = Probe(ShareRelay.self)

  init() {
    let stream: AsyncStream<Message>
    (stream, continuation) = AsyncStream.makeStream()
    shared = stream.share()
  }

  func values() async -> any AsyncSequence<Message, Never> & Sendable { shared }
  func send(_ message: Message) async { continuation.yield(message) }
  func finish() async { continuation.finish() }
}

/// One `AsyncStream` that all consumers iterate: the problem that the others are to solve.
final class StreamRelay: Relay {
  private let stream: AsyncStream<Message>
  private let continuation: AsyncStream<Message>.Continuation
  private let probe = Probe(StreamRelay.self)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func values() async -> any AsyncSequence<Message, Never> & Sendable { stream }
  func send(_ message: Message) async { continuation.yield(message) }
  func finish() async { continuation.finish() }
}
