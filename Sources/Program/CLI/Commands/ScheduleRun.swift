import MemlabKit
import MemlabReports
import MemlabTerminalText

extension Invocation {
  /// What `--schedules` asks for; nil when it was not given.
  ///
  /// - Parameter endings: how many endings are selected.
  /// - Throws: `UsageError` when the scheduler does not let memlab choose the order of the jobs, or
  ///   when one order is asked for and several endings are selected.
  func schedules(endings: Int) throws(UsageError) -> SchedulePlan? {
    guard let plan = value("schedules").flatMap(SchedulePlan.init) else { return nil }
    if let reason = VirtualScheduler.obstacle {
      throw usageError("'--schedules' cannot choose the order of the jobs here: \(reason).")
    }
    guard scheduler != .pool else {
      throw usageError(
        "With '--scheduler pool' the order of the jobs is the runtime's, not that of '--schedules'."
      )
    }
    if case .replay = plan, endings > 1 {
      throw usageError(
        "An order is that of one ending, and \(endings) are to be run in the order of "
          + "'--schedules'. Name one scenario and, with '--ending', one of its endings.")
    }
    return plan
  }
}

extension Laboratory {
  /// Runs an ending in many orders; nil where the plan names one order, or none.
  ///
  /// - Parameters:
  ///   - scenario: the ending's scenario, for the progress line.
  ///   - ending: what is run.
  ///   - plan: which orders.
  ///   - known: what the order of arrival has measured before; nil when it was not run.
  ///   - progress: shows how far it has come; cleared at the end.
  /// - Throws: `TrialError` when an order cannot be run.
  func explore(
    _ scenario: Scenario, _ ending: Ending, _ plan: SchedulePlan?,
    after known: TrialReport? = nil, _ progress: ProgressLine
  ) throws(TrialError) -> Exploration? {
    guard let scheduler = scheduler as? VirtualScheduler else { return nil }
    defer { progress.clear() }
    let name = "\(scenario.id), ending \(ending.name)"
    switch plan {
    case .all(let orders):
      return try Explorer(
        of: ending, on: scheduler, witness: witness, limits: .init(orders: orders), after: known
      ).exploreAll { progress.show("\(name): order \($0) of at most \(orders)") }
    case .random(let count):
      return try Explorer(of: ending, on: scheduler, witness: witness, after: known)
        .explore(seeds: 1...UInt64(count)) { progress.show("\(name): order \($0) of \(count)") }
    case .seed, .replay, nil: return nil
    }
  }
}

/// `memlab run <scenario> --schedules`: what an ending measures in many orders of the same jobs.
enum ScheduleRun {
  /// Explores the endings and reports on each.
  ///
  /// - Returns: whether what is declared was measured in every order.
  static func run(
    _ scenario: Scenario, _ endings: [Ending], _ plan: SchedulePlan, _ invocation: Invocation,
    in session: Session
  ) throws -> ExitCode {
    let laboratory = try Laboratory(for: invocation, in: session)
    let isJSON = invocation.wantsJSON
    let width = session.terminal(for: invocation).width
    if !isJSON, let remark = laboratory.remark {
      try session.write(ProseLines.remark(remark, width: width) + [""], for: invocation)
    }
    let progress = ProgressLine(on: session.errors)
    let explorations = try endings.compactMap { ending -> Exploration? in
      let exploration = try laboratory.explore(scenario, ending, plan, progress)
      if let exploration, !isJSON {
        let lines = ScheduleLines.lines(
          scenario, ending, exploration, program: invocation.program, width: width)
        try session.write(lines, for: invocation)
      }
      return exploration
    }
    if isJSON {
      let report: JSONObject = [
        "scenario": scenario.id, "endings": explorations, "remark": laboratory.remark,
      ]
      try session.output.write(json: report, schema: "memlab.schedules/1")
    }
    return explorations.allSatisfy(\.asExpected) ? .success : .unexpected
  }
}
