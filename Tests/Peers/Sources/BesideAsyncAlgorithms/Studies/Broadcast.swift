import MemlabKit

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
