/// Two patterns whose outcome is known, for the self-check.
enum Plants {
  private final class Plant: Sendable {
    private let probe = Probe(Plant.self)
    func touch() {}
  }

  /// A task that holds an object and waits on a continuation that is never resumed.
  static let leak = Ending(
    "planted-leak", "an object is held by a task that waits forever",
    expects: Declaration(
      .leak, objects: [ObjectCount("Plant", created: 1, deinitialized: 0)],
      tasks: [TaskCount("waiter", started: 1, finished: 0)],
      held: ["Plant": .task("waiter")]),
    explanation: "The continuation is never resumed."
  ) { lab in
    try lab.step("an object is handed to a task that waits forever") {
      let plant = Plant()
      Task(probe: "waiter") {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        plant.touch()
      }
    }
  }

  /// A task that holds an object and ends.
  static let clean = Ending(
    "planted-clean", "an object is held by a task that ends",
    expects: Declaration(
      .clean, objects: [ObjectCount("Plant", created: 1, deinitialized: 1)],
      tasks: [TaskCount("worker", started: 1, finished: 1)]),
    explanation: "The task ends and releases what it holds."
  ) { lab in
    try lab.step("an object is handed to a task that ends") {
      let plant = Plant()
      Task(probe: "worker") { plant.touch() }
    }
  }
}
