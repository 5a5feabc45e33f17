import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab run <scenario>`, and `memlab <scenario>` for short.
enum RunCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let endings = try chosenEndings(of: scenario, invocation)
    let plan = try invocation.schedules(endings: endings.count)
    try rejectWhatIsIgnored(invocation, plan)
    if invocation.isGiven("instances") {
      return try GrowthReport.run(scenario, endings, invocation, in: session)
    }
    if let plan, plan.chooser == nil {
      return try ScheduleRun.run(scenario, endings, plan, invocation, in: session)
    }
    let reporter =
      invocation.wantsJSON
      ? nil
      : TextReporter(
        output: session.output, terminal: session.terminal(for: invocation),
        program: invocation.program, showsCost: invocation.flag("cost"),
        recorded: session.recorded(scenario))
    let laboratory = try Laboratory(for: invocation, in: session)

    try reporter?.begin(scenario)
    if let remark = laboratory.remark { try reporter?.remark(remark) }
    let trials = try endings.map { ending in
      try reporter?.begin(ending)
      let trial = try laboratory.run(ending, order: plan?.chooser) { reporter?.step($0) }
      try reporter?.end(ending, trial)
      return trial
    }
    let report = Report(scenario: scenario, trials: trials, remark: laboratory.remark)
    try reporter?.end(scenario, report)
    if invocation.wantsJSON { try session.output.write(json: report, schema: Report.schema) }
    return report.asExpected ? .success : .unexpected
  }

  // An option that would have no effect is refused, not ignored.
  private static func rejectWhatIsIgnored(
    _ invocation: Invocation, _ plan: SchedulePlan?
  ) throws(UsageError) {
    let pairs = [
      ("instances", "schedules", true), ("instances", "cost", true),
      ("schedules", "cost", plan != nil && plan?.chooser == nil),
      ("ending", "threads", invocation.choice("threads", as: ThreadMode.self) == .free),
    ]
    for (one, other, isConflict) in pairs
    where isConflict && invocation.isGiven(one) && invocation.isGiven(other) {
      throw invocation.usageError("Give '--\(one)' or '--\(other)', not both.")
    }
    if invocation.isGiven("rounds"), !invocation.isGiven("instances") {
      throw invocation.usageError("'--rounds' says how many rounds '--instances' takes. Give both.")
    }
  }

  private static func chosenEndings(
    of scenario: Scenario, _ invocation: Invocation
  ) throws(UsageError) -> [Ending] {
    if invocation.choice("threads", as: ThreadMode.self) == .free {
      guard let unforced = scenario.unforced else {
        throw invocation.usageError(
          "The scenario '\(scenario.id)' has no racing threads to set free.")
      }
      return [unforced]
    }
    return try invocation.endings(among: scenario.endings)
  }
}

/// What `--format` can name.
package enum ReportFormat: String, CaseIterable {
  /// For people.
  case text
  /// For programs: the schema `memlab.report/1`.
  case json
}

/// What `--threads` can name.
enum ThreadMode: String {
  /// Every thread waits between its read and its write until the others have read.
  case held
  /// Nothing holds them: the outcome is luck.
  case free
}
