import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab check`: compares what every ending of every scenario measures with what it declares.
enum CheckCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "check",
      abstract: "Run scenarios and compare with what they declare.",
      discussion: """
        Exits with 0 when everything is as declared, a leak shown on purpose included, and with 1 \
        when anything differs. Before it trusts itself, it plants a leak that must be seen and a \
        clean run that must be silent; if either fails, it exits with 70.
        """,
      arguments: [
        ArgumentSpec(
          "scenario", help: "The scenarios to check; all of them if none is named.",
          values: .scenario, isOptional: true, isRepeating: true)
      ],
      options: [
        .only,
        .option(
          "family", valueName: "name", help: "Check only scenarios of this family of patterns.",
          values: .oneOf(app.families), isRepeating: true),
        .option(
          "ending", valueName: "name", help: "Check only endings of this name.", values: .ending),
        .option(
          "format", valueName: "format", help: "How the results are written.",
          values: .cases(of: CheckFormatName.self), default: CheckFormatName.text.rawValue),
        .flag(
          "every-step",
          help: "Compare both witnesses, and account for every reference, after each step as well."),
        .schedules, .scheduler, .requireHeap, .color,
      ] + (app.course == nil ? [record] : []))
  }

  // memlab's own scenarios declare everything in code.
  private static let record = OptionSpec.flag(
    "record",
    help: "Write what is measured into the file of expected results, for endings that declare "
      + "nothing in code.")

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let recording = try recording(invocation, in: session)
    let session = recording?.measuring ?? session
    let selection = try CheckSelection(invocation, in: session)
    if invocation.flag("every-step"), invocation.value("schedules") != nil {
      throw invocation.usageError("--every-step and --schedules cannot be used together.")
    }
    let plan = try invocation.schedules(endings: selection.selected.count)
    let request = MeasurementRequest(
      invocation.flag("every-step") ? .everyStep(requiresNames: true) : .result(.holders, plan),
      invocation)
    let stale = recording == nil && selection.isWhole ? try session.app.staleExpectations() : []
    let check = CheckRun(
      selection, format: format(for: selection, invocation, in: session),
      scheduler: request.scheduler,
      stale: stale.map { .stale($0, in: session.app.expectedFile?.path ?? "") },
      recording: recording)
    return try check.run(
      on: {
        let measurements = try EndingMeasurements(selection.selected, request, in: session)
        try measurements.writeRemark(in: session)
        return measurements
      }, errors: session.errors)
  }

  static let measuresMany = true

  private static func recording(
    _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> RecordRun? {
    guard session.app.course == nil, invocation.flag("record") else { return nil }
    for other in ["schedules", "every-step"] where invocation.isGiven(other) {
      throw invocation.usageError("--record and --\(other) cannot be used together.")
    }
    return try RecordRun(invocation, in: session)
  }

  private static func format(
    for selection: CheckSelection, _ invocation: Invocation, in session: Session
  ) -> any CheckFormat {
    let output = session.output
    return switch invocation.choice("format", as: CheckFormatName.self) ?? .text {
    case .text:
      CheckReporter(
        output: output, terminal: session.terminal(for: invocation), selection: selection.selected)
    case .json: CheckJSON(output: output)
    case .junit: CheckJUnit(output: output, program: invocation.program)
    case .tap: CheckTAP(output: output)
    case .github: CheckGitHub(output: output, program: invocation.program)
    }
  }
}
