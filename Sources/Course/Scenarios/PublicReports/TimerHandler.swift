import MemlabKit

extension Scenario {
  /// `timer-handler`: a timer whose handler holds its owner.
  static let timerHandler = Scenario(
    id: "timer-handler", title: "a timer whose handler holds its owner",
    document: .timerAndHandler, place: "its timer, rebuilt",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "A connection starts a timer that repeats, and is dropped. Does the timer go on?",
    hint: "Who holds a timer that has been started? And whom does its handler hold?",
    beliefs: [
      .cycle("The connection stores its timer, and the handler uses it."),
      .nobody("The timer is a property, and people assume that it ends with it."),
    ],
    next: "reference-bytes",
    endings: [
      Ending(
        "repeats", "the handler captures the connection",
        expects: .one(.leak, ["Connection": .aGlobal], metrics: ["firedAfter": 2, "handlers": 1]),
        explanation: "The event loop holds the timer, the timer its handler, and the handler the "
          + "connection. The circle through the property is there too, but the loop would hold the "
          + "connection without it.",
        run: { try play($0) { $0.keepAlive(on: $1) } }),
      Ending(
        "weak", "the handler captures the connection weakly",
        expects: .one(.clean, ["Connection": nil], metrics: ["firedAfter": 2, "handlers": 1]),
        explanation: "The connection is gone. The timer goes on, and fires for nobody.",
        run: { try play($0) { $0.keepAliveWeakly(on: $1) } }
      )
      .asking("The handler captures the connection weakly. Does the timer go on?"),
      Ending(
        "cancelled", "the handler captures the connection, and close() cancels the timer",
        expects: .one(.clean, ["Connection": nil], metrics: ["firedAfter": 0, "handlers": 0]),
        explanation: "Cancelling releases the handler, and with it the connection. No weak is "
          + "needed where somebody calls close().",
        run: { try play($0, close: true) { $0.keepAlive(on: $1) } }),
    ])

  private static func play(
    _ lab: Lab, close: Bool = false, start: (TimerHandler.Connection, Callbacks) -> Void
  ) throws {
    let loop = AppWide.keep(Callbacks(), for: lab.ledger)
    @Variable("connection") var connection: TimerHandler.Connection?
    try lab.step("a connection starts its timer") { connection = made(.init()) { start($0, loop) } }
    try lab.step("the timer fires") { loop.callAll() }
    if close { try lab.release("the connection is closed") { connection?.close() } }
    try lab.release("the connection is dropped") { connection = nil }
    let before = lab.ledger.notes(of: "fired")
    try lab.step("its time comes twice more") { for _ in 1...2 { loop.callAll() } }
    lab.ledger.setMetrics([
      "firedAfter": lab.ledger.notes(of: "fired") - before, "handlers": loop.count,
    ])
  }
}

/// A connection that sends a sign of life.
enum TimerHandler {
  // snippet:code
  final class Timer {
    private let loop: Callbacks
    private var id: Int?

    init(on loop: Callbacks, handler: @escaping () -> Void) {
      self.loop = loop
      id = loop.add {
        Ledger.current?.note("fired")
        handler()
      }
    }

    func cancel() { id.map(loop.remove) }
  }

  final class Connection {
    private var timer: Timer?
    private let probe = Probe(Connection.self)

    func keepAlive(on loop: Callbacks) {
      timer = Timer(on: loop) { self.ping() }
    }

    func keepAliveWeakly(on loop: Callbacks) {
      timer = Timer(on: loop) { [weak self] in self?.ping() }
    }

    func close() { timer?.cancel() }

    private func ping() { Ledger.current?.note("pinged") }
  }
  // snippet:end
}
