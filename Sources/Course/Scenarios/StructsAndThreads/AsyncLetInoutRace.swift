import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `async-let-inout-race`: two async lets and one inout.
  static let asyncLetInoutRace = Scenario(
    id: "async-let-inout-race", title: "two async lets and one inout", document: .structsAndThreads,
    place: "its question about inout, asked of tasks", lesson: "06-a-struct-is-not-a-lock",
    question: "1 is added twice to the same inout parameter. It compiles in Swift 6 mode without "
      + "a warning. What is the final count?",
    hint: "What value has the second child read when the first one writes?",
    next: "order-shared-class",
    code: [
      "Course/Patterns/AsyncLet/AddTwice.swift#code",
      "Course/Patterns/AsyncLet/AddTwice.swift#fixes",
    ],
    endings: [
      Ending(
        "async-let", "both children have read before one writes",
        expects: .count(lost: 1, tasks: "parent", 1),
        explanation: "Both children have read 0 when they are stopped. The first writes 1, and so "
          + "does the second. Two accesses to one inout parameter overlap, and Swift promises "
          + "that they cannot."
      ) { lab in try play(on: lab) { await AddTwice.sideBySide(to: &$0, $1) } }
      .claiming(
        "the increments meet, because the value of point is not thread-safe",
        original: "`point`의 값이 `thread-safe`하지 못하게 동시에 증가가 되는 경우가 생긴다"
      ) { $0.metric(.lostUpdates) > 0 }
      .asking(
        "Two child tasks each add 1 to the same inout parameter. It compiles in Swift 6 mode "
          + "without a warning. What is the final count?"),
      Ending(
        "in-turn", "the second call begins when the first is over",
        expects: .count(lost: 0, tasks: "parent", 1),
        explanation: "The code awaits each call: the first one has written before the second one "
          + "reads."
      ) { lab in try play(on: lab) { await AddTwice.inTurn(to: &$0, $1) } },
      Ending(
        "returned", "each child returns what is to be added, and the parent adds",
        expects: .count(lost: 0, tasks: "parent", 1),
        explanation: "The children run side by side, and each counts in its own variable. They "
          + "share nothing, so nothing is lost."
      ) { lab in try play(on: lab) { await AddTwice.results(to: &$0, $1) } },
    ])

  private typealias Add = @Sendable (inout Int, [any AdditionObserver]) async -> Void

  private static func play(on lab: Lab, _ add: @escaping Add) throws {
    let (gates, ledger) = ([Gate(), Gate()], lab.ledger)
    let begun = { @Sendable in ledger.notes(of: "read 0:") > 0 }
    try lab.step("two additions begin", until: begun) {
      Task(probe: "parent") {
        var count = 0
        await add(&count, gates.map(HeldUp.init))
        ledger.setMetrics(["finalCount": count, .lostUpdates: 2 - count])
      }
    }
    try lab.step("the first goes on", until: ledger.noted("wrote 1:", 1)) { gates[0].open() }
    try lab.step("the second goes on", until: ledger.allTasksFinished) { gates[1].open() }
  }
}

/// Stops an addition after its read, until the gate is opened.
private struct HeldUp: AdditionObserver {
  let gate: Gate

  func read(_ value: Int) async {
    Ledger.current?.note("read \(value):")
    await gate.opened()
  }

  func wrote(_ value: Int) { Ledger.current?.note("wrote \(value):") }
}
