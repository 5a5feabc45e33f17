import MemlabKit
import MemlabScenarios

/// The relays, each with what it measures.
enum Peers { static let scenarios: [Scenario] = [.broadcast, .share, .channel, .stream] }

extension Scenario {
  /// A relay as a scenario.
  init<Studied: Relay>(
    _ id: String, _ title: String, of relay: Studied.Type,
    endings: (RelayEndings<Studied>) -> [Ending]
  ) {
    self.init(
      id: id, title: title, document: .asyncStreamBroadcast, place: "beside other libraries",
      lesson: "03-one-stream-many-consumers",
      question: "Two consumers want every value. What does each of them get, and does all end?",
      hint: "Who keeps a value until both have taken it?", endings: endings(RelayEndings()))
  }
}

extension Document {
  /// The document that the broadcaster in `Patterns` comes from.
  fileprivate static var asyncStreamBroadcast: Document {
    guard let scenario = Catalog.scenario("broadcast-stream") else {
      preconditionFailure("the catalog has no broadcast-stream")
    }
    return scenario.document
  }
}

extension Scenario {
  static let broadcast = Scenario("broadcast", "the actor in Patterns", of: BroadcastRelay.self) {
    endings in
    [
      endings.all(
        expects: endings.declare(a: 20, b: 20, union: 20, sent: 20),
        "Each consumer has a stream of its own."),
      endings.cancel(
        expects: endings.declare(a: 20, b: 10, union: 20, sent: 20, senders: 2),
        "B's stream ends; A's is another one."),
      endings.drop(
        expects: endings.declare(a: 1, b: 1, union: 1, sent: 1),
        "The actor's deinit finishes every stream."),
      endings.late(
        expects: endings.declare(a: 0, b: 0, union: 0, sent: 0, senders: 0),
        "The actor remembers that it has finished."),
      endings.slow(
        expects: endings.declare(a: 20, b: 20, union: 20, sent: 20, meanwhile: 20),
        "B's stream keeps what B has not taken. A is not held up."),
    ]
  }
}

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

extension Scenario {
  static let share = Scenario("share", "share()", of: ShareRelay.self) { endings in
    [
      endings.all(
        expects: endings.declare(a: 20, b: 20, union: 20, sent: 20),
        "One task of the library reads the source, for both."),
      endings.cancel(
        expects: endings.declare(a: 20, b: 10, union: 20, sent: 20, senders: 2),
        "B is struck off the list. The task that reads is not B's, and reads on."),
      endings.drop(
        expects: endings.declare(.leak, a: 1, b: 1, union: 1, sent: 1, ends: false),
        "Nobody finishes an AsyncStream whose continuation is dropped: the library's task waits "
          + "for it, and A and B wait for that."),
      endings.late(
        expects: endings.declare(a: 0, b: 0, union: 0, sent: 0, senders: 0),
        "The source has ended, and every consumer that asks is told."),
      endings.slow(
        expects: endings.declare(a: 20, b: 20, union: 20, sent: 20, meanwhile: 1),
        "A value stays until all have taken it, and there is room for one by default: A waits for "
          + "B. Back pressure is the difference from the actor."),
    ]
  }
}

extension Scenario {
  static let stream = Scenario("stream", "one AsyncStream", of: StreamRelay.self) { endings in
    [
      endings.all(
        expects: endings.declare(.split, a: 10, b: 10, union: 20, sent: 20),
        "Each value goes to one of those who wait."),
      endings.cancel(
        expects: endings.declare(a: 5, b: 5, union: 10, sent: 20, senders: 2),
        "Cancelling B terminates the stream: A ends too, and ten values reach nobody."),
      endings.drop(
        expects: endings.declare(.leak, a: 1, b: 0, union: 1, sent: 1, ends: false),
        "A continuation that is dropped does not finish its stream."),
      endings.late(
        expects: endings.declare(a: 0, b: 0, union: 0, sent: 0, senders: 0),
        "A stream that has finished says so."),
      endings.slow(
        expects: endings.declare(a: 20, b: 0, union: 20, sent: 20, meanwhile: 20),
        "A consumer that waits gets the value; nothing is kept for B."),
    ]
  }
}
