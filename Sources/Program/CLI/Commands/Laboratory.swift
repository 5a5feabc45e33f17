package import MemlabKit

/// What trials run on: a scheduler, and the second witness where the heap can be read.
package struct Laboratory: Sendable {
  /// What runs the tasks.
  package let scheduler: any Scheduler
  /// What reads the heap.
  package let witness: (any HeapWitness)?
  /// Why there is no second witness, or what it cannot tell; nil when it tells everything.
  package let remark: String?

  /// Sets up what a command line asks for.
  ///
  /// - Parameters:
  ///   - invocation: the command line.
  ///   - session: makes the scheduler and the witness.
  ///   - refusesWithoutHeap: whether to fail if the heap cannot be read, also without `--require-heap`.
  /// - Throws: `SchedulerError` when this runtime does not have the scheduler; `HeapUnreadable` when
  ///   the heap cannot be read, and has to be.
  package init(
    for invocation: Invocation, in session: Session, refusesWithoutHeap: Bool = false
  ) throws {
    try self.init(
      on: invocation.scheduler, in: session,
      refusesWithoutHeap: refusesWithoutHeap || invocation.flag("require-heap"))
  }

  /// Sets up this scheduler, and the second witness where the heap can be read.
  package init(on name: SchedulerName, in session: Session, refusesWithoutHeap: Bool = false) throws
  {
    scheduler = try session.scheduler(name)
    do {
      let witness = try session.app.heap.witness()
      (self.witness, remark) = (witness, witness.remark)
    } catch {
      if refusesWithoutHeap { throw error }
      (witness, remark) = (nil, "\(error)")
    }
  }

  /// Runs one ending.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - detail: how much to find out about the heap.
  ///   - order: picks the jobs; nil for the order of arrival.
  ///   - observe: called after each step.
  /// - Throws: `TrialError` when nothing can be measured; `UnfitOrder` when this ending has no such
  ///   order.
  package func run(
    _ ending: Ending, detail: HeapDetail = .everything, order: Chooser? = nil,
    observe: @escaping @Sendable (StepRecord) -> Void = { _ in }
  ) throws -> TrialReport {
    let trial = Trial(of: ending, on: scheduler, witness: witness, detail: detail)
    guard let order, let scheduler = scheduler as? VirtualScheduler else {
      return try trial.run(observe: observe)
    }
    let (report, chooser) = try scheduler.choosing(by: order) { try trial.run(observe: observe) }
    if let complaint = chooser.complaint { throw UnfitOrder(ending: ending.name, complaint) }
    return report
  }

  /// Runs one ending and keeps what is measured after each step.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - requiresNames: whether each variable that holds an object has to have a name.
  /// - Throws: `TrialError` when nothing can be measured.
  package func film(_ ending: Ending, requiringNames requiresNames: Bool = false) throws -> Film {
    try Trial(of: ending, on: scheduler, witness: witness).film(requiringNames: requiresNames)
  }
}

/// An order that was asked for cannot be followed in this ending.
struct UnfitOrder: Error, Codable, CustomStringConvertible {
  /// A sentence without its full stop.
  let description: String

  /// The error for an ending, with the chooser's sentence about it.
  init(ending: String, _ complaint: String) {
    description = "the order does not fit the ending '\(ending)': \(complaint)"
  }
}

extension Invocation {
  /// What `--scheduler` names, or the default.
  var scheduler: SchedulerName { choice("scheduler", as: SchedulerName.self) ?? .default }

  /// Whether `--format` asks for JSON instead of text.
  package var wantsJSON: Bool { choice("format", as: ReportFormat.self) == .json }

  /// The ending of a scenario that `--ending` names; nil when it was not given.
  ///
  /// - Throws: `UsageError` when the scenario has no such ending.
  package func ending(of scenario: Scenario) throws(UsageError) -> Ending? {
    try isGiven("ending") ? endings(among: scenario.endings).first : nil
  }

  /// The ending that `--ending` names; all of them when it was not given.
  ///
  /// - Throws: `UsageError` when there is no such ending.
  package func endings(among endings: [Ending]) throws(UsageError) -> [Ending] {
    guard let name = value("ending") else { return endings }
    let named = endings.filter { $0.name == name }
    guard named.isEmpty else { return named }
    throw invalidValue(of: "ending", expected: .oneOf(endings.map(\.name)))
  }
}
