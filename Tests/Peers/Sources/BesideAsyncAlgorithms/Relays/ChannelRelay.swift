import AsyncAlgorithms
import MemlabKit

/// `AsyncChannel` of swift-async-algorithms.
final class ChannelRelay: Relay {
  private let channel = AsyncChannel<Message>()
  private let probe = Probe(ChannelRelay.self)

  func values() async -> any AsyncSequence<Message, Never> & Sendable { channel }
  func send(_ message: Message) async { await channel.send(message) }
  func finish() async { channel.finish() }
}
