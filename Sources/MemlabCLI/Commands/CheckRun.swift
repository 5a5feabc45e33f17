import MemlabKit

/// A check under way: runs what is selected and tells a format of each result.
struct CheckRun {
  private let selection: CheckSelection
  private let format: any CheckFormat
  private let scheduler: SchedulerName
  private let plan: SchedulePlan?
  private let progress: Progress
  private var results: [CheckResult] = []
  private var hasBegun = false

  /// A check of a selection that nothing has been run of.
  init(
    _ selection: CheckSelection, format: any CheckFormat, scheduler: SchedulerName,
    plan: SchedulePlan?, progress: Progress
  ) {
    self.selection = selection
    self.format = format
    self.scheduler = scheduler
    self.plan = plan
    self.progress = progress
  }

  /// Runs the check; whatever happens, the format's document is closed.
  ///
  /// - Parameter laboratory: makes what trials run on, once it has shown that it can be trusted.
  /// - Throws: what says that memlab cannot be trusted here, or that an order is none of the
  ///   ending's, once the format has been told.
  mutating func run(on laboratory: () throws -> Laboratory) throws -> ExitCode {
    do {
      let laboratory = try laboratory()
      try begin()
      for item in selection.items {
        try add(item, selection.isSelected(item) ? nil : "not selected", on: laboratory)
      }
    } catch let error as OutputError {
      throw error
    } catch {
      try stop("\(error)")
      throw error
    }
    let report = CheckReport(scheduler: scheduler.rawValue, results: results, error: nil)
    try format.end(report)
    return report.asExpected ? .success : .unexpected
  }

  private mutating func begin() throws {
    hasBegun = true
    try format.begin(endings: selection.items.count)
  }

  private mutating func add(
    _ item: CheckSelection.Item, _ reasonToSkip: String?, on laboratory: Laboratory
  ) throws {
    let (scenario, ending) = item
    closeIfStuck(in: item)
    defer { Watchdog.setLastWords(nil) }
    if let reasonToSkip { return try tell(.skipped(scenario, ending, reasonToSkip)) }
    do {
      let trial = try laboratory.run(ending, detail: .holders, order: plan?.chooser)
      let schedules = try laboratory.explore(scenario, ending, plan, progress)
      try tell(.measured(scenario, ending, trial, schedules: schedules), trial)
    } catch let error as TrialError {
      try tell(.untrusted(scenario, ending, "\(error)"))
      throw error
    }
  }

  // Called on another thread, when this one never comes back.
  private func closeIfStuck(in item: CheckSelection.Item) {
    nonisolated(unsafe) let check = self
    Watchdog.setLastWords { error in
      var check = check
      try? check.tell(.untrusted(item.scenario, item.ending, "\(error)"))
      try? check.stop("\(error)")
    }
  }

  private mutating func tell(_ result: CheckResult, _ trial: TrialReport? = nil) throws {
    results.append(result)
    try format.add(result, trial, number: results.count)
  }

  // What has not been run is named, so that nobody takes its silence for success.
  private mutating func stop(_ error: String) throws {
    if !hasBegun { try begin() }
    for (scenario, ending) in selection.items.dropFirst(results.count) {
      try tell(.skipped(scenario, ending, "the check has stopped"))
    }
    try format.end(
      CheckReport(scheduler: scheduler.rawValue, results: results, error: error))
  }
}
