import MemlabKit
import MemlabPatterns

/// The actor in `Patterns`: a stream for each consumer.
final class BroadcastRelay: Relay {
  private let broadcaster = AsyncBroadcastStream<Message>()
  private let probe = Probe(BroadcastRelay.self)

  func values() async -> any AsyncSequence<Message, Never> & Sendable { await broadcaster.stream() }
  func send(_ message: Message) async { await broadcaster.yield(message) }
  func finish() async { await broadcaster.finish() }
}
