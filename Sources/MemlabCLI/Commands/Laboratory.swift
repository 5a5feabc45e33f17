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
  /// - Throws: `SchedulerError` when the scheduler is not to be had; `HeapUnreadable` when the heap
  ///   cannot be read and the command line insists on it.
  init(for invocation: Invocation, in session: Session) throws {
    scheduler = try session.scheduler(
      invocation.choice("scheduler", as: SchedulerName.self) ?? .virtual)
    do {
      witness = try session.witness(scheduler)
      remark = nil
    } catch {
      if invocation.flag("require-heap") { throw error }
      witness = nil
      remark = "\(error)"
    }
  }

  /// Runs one ending.
  func run(
    _ ending: Ending, tracesTasks: Bool = true,
    observe: @escaping @Sendable (StepRecord) -> Void = { _ in }
  ) throws -> TrialReport {
    try Trial(of: ending, on: scheduler, witness: witness, tracesTasks: tracesTasks)
      .run(observe: observe)
  }
}

extension OptionSpec {
  /// The options of every command that runs trials.
  static let laboratory: [OptionSpec] = [
    option(
      "scheduler", valueName: "name", help: "What runs the tasks.",
      values: .cases(of: SchedulerName.self), default: SchedulerName.virtual.rawValue),
    flag("require-heap", help: "Fail where the heap cannot be read."),
  ]
}
