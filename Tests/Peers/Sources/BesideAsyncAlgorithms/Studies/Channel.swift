import MemlabKit

extension Scenario {
  static let channel = Scenario("channel", "AsyncChannel", of: ChannelRelay.self) { endings in
    [
      endings.all(
        expects: endings.declare(.split, a: 10, b: 10, union: 20, sent: 20),
        "Each value goes to one of those who wait, as with a shared AsyncStream."),
      endings.cancel(
        expects: endings.declare(a: 15, b: 5, union: 20, sent: 20, senders: 2),
        "Cancelling B ends B's wait and not the channel: A gets all the rest."),
      endings.drop(
        expects: endings.declare(.leak, a: 1, b: 0, union: 1, sent: 1, ends: false),
        "A and B hold the channel while they wait for it, and nobody is left to finish it."),
      endings.late(
        expects: endings.declare(a: 0, b: 0, union: 0, sent: 0, senders: 0),
        "A channel that has finished says so."),
      endings.slow(
        expects: endings.declare(a: 20, b: 0, union: 20, sent: 20, meanwhile: 20),
        "A consumer that waits gets the value; nothing is kept for B."),
    ]
  }
}
