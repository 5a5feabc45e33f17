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
    Exercise(
      number: "17", title: "a lamp that stays on the switchboard",
      lesson: "07-delegates-and-observers", file: "17-lamp/Lamp.swift",
      hint: "The switchboard holds the closure, and the closure uses self. And somebody must take "
        + "the closure off the board. 'memlab walk calendar-observer-cycle' shows such an observer.",
      secondHint: "Keep the board and the token in properties. Give the closure [weak self], and "
        + "call stopObserving in deinit. Without the first, deinit never runs; without the second, "
        + "an empty closure stays on the board.",
      figures: [
        "statesLost": "is how many turns of the switch the lamp has not noted in their order.",
        "observers": "is how many observers the boards have when the lamps are gone.",
        "othersLost": "is how many turns the lamps that stay have not noted in their order.",
      ],
      advice: [
        "statesLost": "A lamp must note every turn as long as it is there.",
        "observers": "A lamp must take its closure off the board when it goes.",
        "othersLost": "The end of one lamp must not take another off the board.",
        "Lamp": "What does the board hold through the closure?",
      ],
      endings: [
        Ending(
          "drop", "the switch is turned many times, then the lamp is dropped",
          expects: solved(1, ["statesLost": 0, "observers": 0]),
          explanation: "The board does not hold the lamp, and the lamp signs off."
        ) { try drop(type, $0) },
        Ending(
          "three", "the second of three lamps is dropped, then the others",
          expects: solved(3, ["othersLost": 0, "observers": 0]),
          explanation: "Each lamp signs off for itself."
        ) { try dropThree(type, $0) },
        Ending(
          "after", "the lamp is dropped, and the switch is turned",
          expects: solved(1, ["observers": 0]), explanation: "Nobody is called."
        ) { try turnAfter(type, $0) },
      ])
  }

  private static func drop<Lamp: LampUnderStudy>(_ type: Lamp.Type, _ lab: Lab) throws {
    let board = AppWide.keep(Switchboard(), for: lab.ledger)
    var lamp: Lamp?
    let turns = manyTurns()
    try lab.step("a lamp is put up") { lamp = Lamp(on: board) }
    try lab.step("the switch is turned many times") { turns.forEach(board.turn) }
    lab.ledger.setMetric("statesLost", lost(lamp, turns))
    try lab.release("the lamp is dropped") { lamp = nil }
    lab.ledger.setMetric("observers", board.observerCount)
    withExtendedLifetime(lamp) {}
  }

  // The third is on another board, where the tokens are the same again.
  private static func dropThree<Lamp: LampUnderStudy>(_ type: Lamp.Type, _ lab: Lab) throws {
    let boards = (0..<2).map { _ in AppWide.keep(Switchboard(), for: lab.ledger) }
    var lamps: [Lamp] = []
    let turns = boards.map { _ in manyTurns() }
    try lab.step("two lamps are put up on one board, and one on another") {
      lamps = [0, 0, 1].map { Lamp(on: boards[$0]) }
    }
    try lab.step("each switch is turned twice") {
      for place in 0..<2 { for (board, turns) in zip(boards, turns) { board.turn(turns[place]) } }
    }
    try lab.release("the second lamp is dropped") { _ = lamps.remove(at: 1) }
    try lab.step("each switch is turned many times") {
      for (board, turns) in zip(boards, turns) { turns.dropFirst(2).forEach(board.turn) }
    }
    lab.ledger.setMetric("othersLost", zip(lamps, turns).reduce(0) { $0 + lost($1.0, $1.1) })
    try lab.release("the other lamps are dropped") { lamps = [] }
    lab.ledger.setMetric("observers", boards.reduce(0) { $0 + $1.observerCount })
  }

  private static func turnAfter<Lamp: LampUnderStudy>(_ type: Lamp.Type, _ lab: Lab) throws {
    let board = AppWide.keep(Switchboard(), for: lab.ledger)
    var lamp: Lamp?
    try lab.step("a lamp is put up") { lamp = Lamp(on: board) }
    try lab.release("the lamp is dropped") { lamp = nil }
    try lab.step("the switch is turned") { board.turn(true) }
    lab.ledger.setMetric("observers", board.observerCount)
    withExtendedLifetime(lamp) {}
  }

  // A random number of turns, of which some change nothing.
  private static func manyTurns() -> [Bool] {
    [true, true, false, false] + (0..<20 + Secret.number(upTo: 10)).map { _ in Bool.random() }
  }

  private static func lost<Lamp: LampUnderStudy>(_ lamp: Lamp?, _ turns: [Bool]) -> Int {
    turns.count - (lamp?.states ?? []).right(of: turns)
  }

  private static func solved(_ lamps: Int, _ metrics: [Metric: Int]) -> Declaration {
    Declaration(
      .clean, objects: [ObjectCount("Lamp", created: lamps, deinitialized: lamps)],
      metrics: metrics)
  }
}
