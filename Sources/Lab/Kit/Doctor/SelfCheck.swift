package import MemlabHeapModel
import MemlabHeapReader

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
    on scheduler: any Scheduler, witness: HeapWitness? = nil, detail: HeapDetail = .holders
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

/// One thing that memlab depends on, and its state on this machine.
package struct Diagnosis: Sendable {
  /// What it is, in one or two words.
  package let name: String
  /// Whether memlab can rely on it; nil where nothing depends on it.
  package let isSound: Bool?
  /// Its state.
  package let text: String

  /// A diagnosis.
  ///
  /// - Parameters:
  ///   - name: what it is.
  ///   - isSound: whether memlab can rely on it; nil where nothing depends on it.
  ///   - text: its state.
  package init(_ name: String, isSound: Bool? = nil, _ text: String) {
    (self.name, self.isSound, self.text) = (name, isSound, text)
  }

  /// The Swift that memlab was compiled by, the runtime that it runs on, and what reading the heap
  /// depends on, in a configuration that does.
  package static var runtime: [Diagnosis] {
    [
      Diagnosis("compiled by", "Swift \(compiler), \(optimization)"),
      Diagnosis("runtime", RuntimeFacts.version),
    ] + configuration
  }

  private static var configuration: [Diagnosis] {
    #if MEMLAB_PORTABLE
      [Diagnosis("configuration", "portable: the ledger counts; nobody says who holds what")]
    #else
      [
        Diagnosis("configuration", "whole: the ledger counts, and the heap says who holds what"),
        Diagnosis("core library", RuntimeFacts.coreLibrary ?? "part of the program"),
        Diagnosis(
          "task layout", isSound: RuntimeFacts.isTaskLayoutKnown,
          RuntimeFacts.taskLayout ?? "the concurrency library does not export it"),
        Diagnosis(
          "heap recorder", isSound: HeapRecording.isAvailable,
          HeapRecording.obstacle.map { "cannot record: \($0)" }
            ?? "records, at addresses of up to \(RuntimeFacts.addressBits) bits"),
        Diagnosis("symbols", RuntimeFacts.symbols.description),
        Diagnosis(
          "library names",
          RuntimeFacts.namesLibraryFunctions
            ? "what a task waits in has its name"
            : "Swift's libraries are stripped, so a task that waits in one may wait in 'a continuation'"
        ),
      ]
    #endif
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3, later than 6.3.1"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var optimization: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}

/// What `memlab doctor` says of the table that the heap is read by.
package struct RuntimeTableReport: Sendable {
  /// The table and what was found; nil where nothing could be checked.
  package let check: RuntimeTableCheck?
  /// The table as one line, and what frames lie in where that was seen.
  package let summary: [Diagnosis]

  /// A table that was not checked, for a reason that is a clause.
  package init(unchecked reason: String) {
    check = nil
    summary = [Diagnosis("runtime table", "not checked: \(reason)")]
  }

  /// Checks every row.
  package init() {
    do {
      let check = try RuntimeTableCheck()
      self.check = check
      let wrong = check.rows.filter { $0.agrees == false }.map(\.name)
      let used = check.rows.filter(\.isUsed)
      let unchecked = used.filter { $0.agrees == nil }.map(\.name)
      let rest =
        unchecked.isEmpty
        ? ""
        : ", except for those that nothing can be planted for: "
          + unchecked.joined(separator: ", ")
      let text =
        wrong.isEmpty
        ? "\(used.count) rows for \(check.column), each read back as planted\(rest)"
        : "\(wrong.count) of \(check.rows.count) rows do not fit: \(wrong.joined(separator: ", "))"
      let frames = check.frames.map { Diagnosis("frames", $0.description) }
      summary =
        [Diagnosis("runtime table", isSound: wrong.isEmpty, text)] + (frames.map { [$0] } ?? [])
    } catch {
      check = nil
      summary = [Diagnosis("runtime table", "not checked: \(error)")]
    }
  }
}
