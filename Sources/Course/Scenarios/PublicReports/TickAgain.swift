import MemlabKit

extension Scenario {
  /// `tick-again`: a tick that starts itself again.
  static let tickAgain = Scenario(
    id: "tick-again", title: "a tick that starts itself again", document: .tickingTask,
    place: "its tick(), rebuilt", lesson: "11-a-task-has-children",
    question: "tick() starts a task, which sleeps, counts and calls tick(). Each task ends. The "
      + "meter is dropped. Is it deinitialised?",
    hint: "Each task is short. Is there a moment without one?",
    beliefs: [
      .nobody("Each task ends within a second, and a short task does no harm."),
      .cycle("A method that calls itself looks like a circle."),
    ],
    next: "defer-weak-self",
    endings: [
      Ending(
        "strong", "each task holds the meter",
        expects: .several(
          .leak, ["Meter": (1, 0)], tasks: ["tick": (4, 3)], held: ["Meter": .task("tick")]),
        explanation: "A task ends only after it has started the next one. So there is always one "
          + "that holds the meter, and it is never older than a second.",
        claims: [
          Claim(
            "When safe: Task completes quickly", original: "**When safe**: Task completes quickly",
            from: .skillMemory,
            .fails(because: "each task completes quickly, and the meter is never released")
          ) { $0.object("Meter").alive == 0 }
        ],
        run: { try play($0) { $0.tick(by: $1) } }),
      Ending(
        "weak", "each task holds the meter weakly",
        expects: .several(.clean, ["Meter": (1, 1)], tasks: ["tick": (2, 2)]),
        explanation: "The meter is gone when it is dropped, and the task that sleeps then is the "
          + "last one.",
        run: { try play($0) { $0.tickWeakly(by: $1) } }),
      Ending(
        "stopped", "each task holds the meter, which is stopped before it is dropped",
        expects: .several(.clean, ["Meter": (1, 1)], tasks: ["tick": (2, 2)]),
        explanation: "The next tick starts no other. Somebody has to call stop().",
        run: { try play($0, stops: true) { $0.tick(by: $1) } }),
    ])

  private static func play(
    _ lab: Lab, stops: Bool = false, start: (TickAgain.Meter, HandTurnedClock) -> Void
  ) throws {
    let (ledger, clock) = (lab.ledger, HandTurnedClock())
    @Variable("meter") var meter: TickAgain.Meter?
    try lab.step("a meter is created and ticks", until: ledger.noted("sleeps", 1)) {
      meter = made(.init()) { start($0, clock) }
    }
    try lab.step("a second passes", until: ledger.noted("sleeps", 2)) { clock.turn() }
    if stops { try lab.step("the meter is stopped") { meter?.stop() } }
    try lab.release("the meter is dropped") { meter = nil }
    for _ in 1...2 { try lab.release("a second passes") { clock.turn() } }
  }
}

/// A meter that counts seconds, a task for each.
enum TickAgain {
  // snippet:code
  final class Meter {
    private var isStopped = false
    private let probe = Probe(Meter.self)

    func tick(by clock: HandTurnedClock) {
      Task(probe: "tick") {
        try? await Task.sleep(for: .seconds(1), clock: clock)
        if !isStopped { tick(by: clock) }
      }
    }

    func tickWeakly(by clock: HandTurnedClock) {
      Task(probe: "tick") { [weak self] in
        try? await Task.sleep(for: .seconds(1), clock: clock)
        self?.tickWeakly(by: clock)
      }
    }

    func stop() { isStopped = true }
  }
  // snippet:end
}
