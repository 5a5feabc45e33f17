import MemlabKit

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
