import MemlabKit

/// An ending that several scenarios have: each says what it measures there, and why.
struct SharedEnding: Sendable {
  private let name, title: String
  private let run: @Sendable (Lab) throws -> Void

  /// An ending of this name and title with these steps.
  init(_ name: String, _ title: String, run: @escaping @Sendable (Lab) throws -> Void) {
    (self.name, self.title, self.run) = (name, title, run)
  }

  /// An ending whose steps are methods of a stage.
  init<Stage>(
    _ name: String, _ title: String, on stage: @escaping @Sendable (Lab) throws -> Stage,
    steps: @escaping @Sendable (Stage) -> [() throws -> Void]
  ) {
    self.init(name, title) { lab in for step in steps(try stage(lab)) { try step() } }
  }

  /// This ending of one scenario.
  func callAsFunction(expects: Declaration, explanation: String) -> Ending {
    Ending(name, title, expects: expects, explanation: explanation, run: run)
  }
}

extension Declaration {
  /// The counts where there is one object of each type and one task of each name.
  ///
  /// - Parameters:
  ///   - objects: who holds each object in the end, by type; nil where it is deinitialised.
  ///   - finished: how many tasks have finished, 0 or 1, by name.
  ///   - metrics: the scenario's own figures; nil where one is not entered.
  static func one(
    _ verdict: Verdict, _ objects: KeyValuePairs<String, DeclaredHolder?> = [:],
    finished: KeyValuePairs<String, Int> = [:], metrics: [Metric: Int?] = [:]
  ) -> Declaration {
    Declaration(
      verdict,
      objects: objects.map {
        ObjectCount($0.key, created: 1, deinitialized: $0.value == nil ? 1 : 0)
      },
      tasks: finished.map { TaskCount($0.key, started: 1, finished: $0.value) },
      metrics: metrics.compactMapValues(\.self),
      held: Dictionary(uniqueKeysWithValues: objects.map { ($0.key, $0.value) })
        .compactMapValues(\.self))
  }

  /// The counts where there are several of something.
  ///
  /// - Parameters:
  ///   - objects: how many objects are created and deinitialised, by type; nil where there is none.
  ///   - tasks: how many tasks are started and finish, by name; nil where there is none.
  ///   - metrics: the scenario's own figures; nil where one is not entered.
  ///   - held: who holds each survivor, by type.
  static func several(
    _ verdict: Verdict, _ objects: KeyValuePairs<String, (created: Int, gone: Int)?>,
    tasks: KeyValuePairs<String, (started: Int, finished: Int)?> = [:],
    metrics: [Metric: Int?] = [:], held: [String: DeclaredHolder] = [:]
  ) -> Declaration {
    Declaration(
      verdict,
      objects: objects.compactMap { type, count in
        count.map { ObjectCount(type, created: $0.created, deinitialized: $0.gone) }
      },
      tasks: tasks.compactMap { name, count in
        count.map { TaskCount(name, started: $0.started, finished: $0.finished) }
      },
      metrics: metrics.compactMapValues(\.self), held: held)
  }
}

extension Verdict {
  /// A judge that counts, and says ``split`` unless these figures are the same.
  static func split(unlessEqual figures: Metric...) -> @Sendable (Totals) -> Verdict {
    { totals in
      let measured = Verdict.measured(from: totals)
      let isSplit = Set(figures.map { totals.metrics[$0] }).count > 1
      return measured == .clean && isSplit ? .split : measured
    }
  }
}

extension Belief {
  /// People say that a variable holds the object, for this reason.
  static func variable(_ reason: String) -> Belief { Belief(.variable, because: reason) }
  /// People say that it is in a retain cycle.
  static func cycle(_ reason: String) -> Belief { Belief(.cycle, because: reason) }
  /// People say that a task holds it.
  static func task(_ reason: String) -> Belief { Belief(.task, because: reason) }
  /// People say that a global variable holds it.
  static func global(_ reason: String) -> Belief { Belief(.global, because: reason) }
  /// People say that nobody holds it: it is deinitialised.
  static func nobody(_ reason: String) -> Belief { Belief(.nobody, because: reason) }
}

/// Enters what the document's demonstrations print into the ledger.
protocol Notebook {}

extension Notebook {
  /// Notes a printed line in the current step; values are only counted.
  static func print(_ text: String, _ value: Int = 0) { Ledger.current?.note(text) }

  /// Enters two figures: `print("A:", 20, "B:", 10)`.
  static func print(_ nameA: String, _ countA: Int, _ nameB: String, _ countB: Int) {
    for (name, count) in [(nameA, countA), (nameB, countB)] {
      Ledger.current?.setMetric(Metric(rawValue: String(name.dropLast())), count)
    }
  }
}

extension Ledger {
  /// Whether something has been noted so many times, as a step's condition.
  func noted(_ what: String, _ times: Int) -> @Sendable () -> Bool {
    { self.notes(of: what) == times }
  }

  /// Whether every task that was started has finished, as a step's condition.
  var allTasksFinished: @Sendable () -> Bool { { self.totals.liveTasks == 0 } }
}

/// An object with which something is begun before anybody else has it.
func made<Object>(_ object: Object, _ begin: (Object) throws -> Void) rethrows -> Object {
  try begin(object)
  return object
}
