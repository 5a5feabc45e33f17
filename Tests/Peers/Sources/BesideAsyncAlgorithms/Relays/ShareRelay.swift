import AsyncAlgorithms
import MemlabKit

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
