import MemlabKit

/// What trials run on: a scheduler, and the second witness where the heap can be read.
struct Laboratory: Sendable {
  /// What runs the tasks.
  let scheduler: any Scheduler
  /// What reads the heap.
  let witness: HeapWitness?
  /// Why there is no second witness, as a sentence; nil when there is one.
  let remark: String?

  /// Sets up what a command line asks for.
  ///
  /// - Parameter requiresHeap: whether nothing is to run without a second witness.
  /// - Throws: `SchedulerError` when the scheduler is not to be had; `HeapUnreadable` when the heap
  ///   cannot be read but has to be.
  init(for invocation: Invocation, in session: Session, requiresHeap: Bool) throws {
    try self.init(
      on: invocation.choice("scheduler", as: SchedulerName.self) ?? .virtual, in: session,
      requiresHeap: requiresHeap)
  }

  /// Sets up this scheduler, and the second witness where the heap can be read.
  init(on name: SchedulerName, in session: Session, requiresHeap: Bool = false) throws {
    scheduler = try session.scheduler(name)
    do {
      witness = try session.witness(scheduler)
      remark = nil
    } catch {
      if requiresHeap { throw error }
      witness = nil
      remark = "\(error)"
    }
  }

  /// Says why there is no second witness, where there is none.
  func tellRemark(in session: Session) throws(OutputError) {
    if let remark { try session.errors.write("Note: \(remark)\n") }
  }

  /// Runs one ending.
  ///
  /// - Parameter order: picks the jobs; nil for first come, first served.
  /// - Throws: `UnfitOrder` when the order that was to be followed is not one of this ending's.
  func run(
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
}

/// An order that was to be run again is not one of the ending's.
struct UnfitOrder: Error, Codable, CustomStringConvertible {
  let description: String

  init(ending: String, _ complaint: String) {
    description = "the order does not fit the ending '\(ending)': \(complaint)"
  }
}

extension OptionSpec {
  /// The option `--scheduler`.
  static let scheduler = option(
    "scheduler", valueName: "name", help: "What runs the tasks.",
    values: .cases(of: SchedulerName.self), default: SchedulerName.virtual.rawValue)

  /// The flag `--require-heap`.
  static let requireHeap = flag("require-heap", help: "Fail where the heap cannot be read.")
}

extension Invocation {
  /// The ending of a scenario that `--ending` names; nil when it was not given.
  ///
  /// - Throws: `UsageError` when the scenario has no such ending.
  func ending(of scenario: Scenario) throws(UsageError) -> Ending? {
    guard let name = value("ending") else { return nil }
    if let ending = scenario.endings.first(where: { $0.name == name }) { return ending }
    throw invalidValue(of: "ending", expected: .oneOf(scenario.endings.map(\.name)))
  }
}
