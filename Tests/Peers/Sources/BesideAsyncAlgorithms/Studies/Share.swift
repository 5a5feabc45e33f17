import MemlabKit

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
