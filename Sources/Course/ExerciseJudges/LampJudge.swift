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

/// Exercise 17: a lamp on a switchboard.
package enum LampJudge<Lamp: LampUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    let observers = ObserverEndings(
      type: "Lamp", name: "lamp",
      words: (
        made: "a lamp is put up",
        threeMade: "two lamps are put up on one board, and one on another",
        many: "the switch is turned many times", two: "each switch is turned twice",
        more: "each switch is turned many times", one: "the switch is turned"
      ), figures: ("statesLost", "observers"), source: { Switchboard() },
      observer: { Lamp(on: $0) }, values: manyTurns, send: { $0.turn($1) },
      received: { $0.states }, count: { $0.observerCount })
    return observers.endings
  }

  // A random number of turns, of which some change nothing.
  @Sendable private static func manyTurns() -> [Bool] {
    [true, true, false, false] + (0..<20 + Secret.number(upTo: 10)).map { _ in Bool.random() }
  }
}
