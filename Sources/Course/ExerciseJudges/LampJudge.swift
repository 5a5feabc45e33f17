package import MemlabKit

/// What the judge needs of a lamp.
package protocol LampUnderStudy: AnyObject, SendableMetatype {
  /// Each state that it was in, in order.
  var states: [Bool] { get }
  /// A lamp on this switchboard.
  init(on board: Switchboard)
}

/// Tells its observers when a switch is turned. It lives as long as the house.
package final class Switchboard {
  private var observers: [Int: (Bool) -> Void] = [:]
  private var lastToken = 0

  /// Calls a closure each time the switch is turned, until it is told to stop.
  ///
  /// - Returns: what ``stopObserving(_:)`` takes.
  package func observe(_ body: @escaping (Bool) -> Void) -> Int {
    lastToken += 1
    observers[lastToken] = body
    return lastToken
  }

  /// Calls that closure no more.
  package func stopObserving(_ token: Int) { observers[token] = nil }

  /// How many observers it has.
  var observerCount: Int { observers.count }

  /// Turns the switch.
  func turn(_ isOn: Bool) { for body in observers.values { body(isOn) } }
}

extension Exercise {
  /// Exercise 17, judging this lamp.
  package static func lamp<Lamp: LampUnderStudy>(_ type: Lamp.Type) -> Exercise {
    let observers = ObserverEndings(
      type: "Lamp", figures: ("statesLost", "observers"), source: { Switchboard() },
      observer: { Lamp(on: $0) }, values: manyTurns, send: { $0.turn($1) },
      received: { $0.states }, count: { $0.observerCount })
    return Exercise(
      number: "17",
      endings: [
        observers.drop(
          "the switch is turned many times, then the lamp is dropped",
          steps: ["a lamp is put up", "the switch is turned many times", "the lamp is dropped"],
          explanation: "The board does not hold the lamp, and the lamp signs off."),
        observers.three(
          "the second of three lamps is dropped, then the others",
          steps: [
            "two lamps are put up on one board, and one on another", "each switch is turned twice",
            "the second lamp is dropped", "each switch is turned many times",
            "the other lamps are dropped",
          ], explanation: "Each lamp signs off for itself."),
        observers.after(
          "the lamp is dropped, and the switch is turned",
          steps: ["a lamp is put up", "the lamp is dropped", "the switch is turned"],
          explanation: "Nobody is called."),
      ])
  }

  // A random number of turns, of which some change nothing.
  @Sendable private static func manyTurns() -> [Bool] {
    [true, true, false, false] + (0..<20 + Secret.number(upTo: 10)).map { _ in Bool.random() }
  }
}
