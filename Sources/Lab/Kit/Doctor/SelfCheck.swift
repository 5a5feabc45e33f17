/// Checks that a planted leak is found and that a planted clean run is not reported, before anything
/// else is measured.
package struct SelfCheck: Sendable {
  private let leak: Ending
  private let clean: Ending

  /// The check with memlab's own plants.
  package init() { self.init(leak: Plants.leak, clean: Plants.clean) }

  /// A check with these plants: the first must be measured as a leak, the second as clean.
  package init(leak: Ending, clean: Ending) { (self.leak, self.clean) = (leak, clean) }

  /// Runs both plants.
  ///
  /// - Parameters:
  ///   - scheduler: what runs their tasks.
  ///   - witness: what reads the heap; nil where it cannot be read.
  ///   - detail: how much is found out. Use the detail of the next measurement, so that the work that
  ///     is only done the first time is done here.
  /// - Returns: what was measured of them.
  /// - Throws: ``SelfCheckError`` when the measurement of a plant is wrong; ``TrialError`` when it
  ///   cannot be run.
  @discardableResult
  package func run(
    on scheduler: any Scheduler, witness: (any HeapWitness)? = nil, detail: HeapDetail = .holders
  ) throws -> [TrialReport] {
    try [(leak, Verdict.leak), (clean, .clean)].map { ending, verdict in
      let trial = try Trial(of: ending, on: scheduler, witness: witness, detail: detail).run()
      guard trial.verdict == verdict, trial.asExpected else {
        throw SelfCheckError(planted: verdict, trial)
      }
      return trial
    }
  }
}

/// memlab measured its own plants wrongly, so none of its numbers can be trusted.
package struct SelfCheckError: Error, CustomStringConvertible {
  /// A sentence without its full stop.
  package let description: String

  fileprivate init(planted verdict: Verdict, _ trial: TrialReport) {
    let differences = trial.differences.joined(separator: "; ")
    description =
      "the self-check failed: a planted \(verdict.rawValue) was measured as "
      + trial.verdict.rawValue + (differences.isEmpty ? "" : " (\(differences))")
      + "; nothing was run"
  }
}

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
