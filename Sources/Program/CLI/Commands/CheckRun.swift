import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// A check under way: passes the result of each ending to a format.
struct CheckRun: Sendable {
  private struct State: Sendable {
    var results: [CheckResult] = []
    var measured: [(scenario: Scenario, trial: TrialReport)] = []
    var hasBegun = false
  }

  /// What is run.
  let selection: CheckSelection
  /// Writes what is found.
  let format: any CheckFormat
  /// Runs the tasks.
  let scheduler: SchedulerName
  /// What else is wrong: expected results of endings that do not exist.
  let stale: [CheckResult]
  /// Writes what was measured into the program's file; nil to compare.
  let recording: RecordRun?
  // Also read on the watchdog's thread.
  private let state = Guarded(State())

  /// Runs the check, and finishes the format's document also when it fails.
  ///
  /// - Parameters:
  ///   - measurements: runs the self-check, then makes what measures the selected endings.
  ///   - errors: receives what the endings print.
  /// - Throws: after the format has been told: why memlab cannot be trusted here, `UnfitOrder`, or
  ///   how many endings could not be measured.
  func run(on measurements: () throws -> EndingMeasurements, errors: Output) throws -> ExitCode {
    do {
      let measurements = try measurements()
      try begin()
      for item in selection.items { try add(item, from: measurements, errors) }
      for result in stale { try tell(result) }
    } catch let error as OutputError {
      throw error
    } catch {
      try stop("\(error)")
      throw error
    }
    let report = report(error: nil)
    try format.end(report)
    let unmeasured = report.summary.untrusted
    guard unmeasured == 0 else {
      let advice = ", so nothing was recorded; select the others with names, --only or --ending"
      throw SentenceError(
        "\(counted(unmeasured, "ending")) could not be measured"
          + (recording == nil ? "" : advice))
    }
    try recording?.write(state.withLock { $0.measured })
    return report.asExpected ? .success : .unexpected
  }

  private func begin() throws {
    state.withLock { $0.hasBegun = true }
    try format.begin(endings: selection.items.count + stale.count)
  }

  private func add(
    _ item: CheckSelection.Item, from measurements: EndingMeasurements, _ errors: Output
  ) throws {
    let (scenario, ending) = item
    guard selection.isSelected(item) else {
      return try tell(.skipped(scenario, ending, CheckResult.notSelected))
    }
    if !measurements.goesOnAfterFailures { closeIfStuck(in: item) }
    defer { Watchdog.setLastWords(nil) }
    let measured = try measurements.next()
    if !measured.written.isEmpty {
      try errors.write("\(scenario.id), ending '\(ending.name)', has written:\n")
      try errors.write(measured.written + (measured.written.hasSuffix("\n") ? "" : "\n"))
    }
    switch measured.result {
    case .success(let (film, schedules)):
      let trial = film.report
      if trial.asExpected { state.withLock { $0.measured.append((scenario, trial)) } }
      let result = CheckResult.measured(scenario, ending, trial, schedules: schedules)
      try tell(result.taking(measured.duration), trial)
    case .failure(let failure):
      let result = CheckResult.untrusted(scenario, ending, failure.description)
      try tell(measurements.goesOnAfterFailures ? result.taking(measured.duration) : result)
      if !measurements.goesOnAfterFailures { throw failure }
    }
  }

  // The watchdog calls this on another thread when the code of this one is stuck.
  private func closeIfStuck(in item: CheckSelection.Item) {
    Watchdog.setLastWords { error in
      try? self.tell(.untrusted(item.scenario, item.ending, "\(error)"))
      try? self.stop("\(error)")
    }
  }

  private func tell(_ result: CheckResult, _ trial: TrialReport? = nil) throws {
    let number = state.withLock { state in
      state.results.append(result)
      return state.results.count
    }
    try format.add(result, trial, number: number)
  }

  private func report(error: String?) -> CheckReport {
    CheckReport(scheduler: scheduler.rawValue, results: state.withLock { $0.results }, error: error)
  }

  // Lists what has not been run, so that a missing line is never mistaken for success.
  private func stop(_ error: String) throws {
    if !state.withLock({ $0.hasBegun }) { try begin() }
    for (scenario, ending) in selection.items.dropFirst(state.withLock { $0.results.count }) {
      try tell(.skipped(scenario, ending, "the check has stopped"))
    }
    try format.end(report(error: error))
  }
}
