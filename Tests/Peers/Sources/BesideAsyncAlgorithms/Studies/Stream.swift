import MemlabKit

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
