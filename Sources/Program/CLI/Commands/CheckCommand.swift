import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab check`: compares what every ending of every scenario measures with what it declares.
enum CheckCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let recording = try recording(invocation, in: session)
    let session = recording?.measuring ?? session
    let selection = try CheckSelection(invocation, in: session)
    if invocation.flag("every-step"), invocation.value("schedules") != nil {
      throw invocation.usageError("--every-step and --schedules cannot be used together.")
    }
    let hunt = try hunt(invocation, in: session)
    let plan = try invocation.schedules(endings: selection.selected.count)
    let request = MeasurementRequest(
      invocation.flag("every-step") ? .everyStep(requiresNames: true) : .result(.holders, plan),
      invocation)
    let stale = recording == nil && selection.isWhole ? try session.app.staleExpectations() : []
    let check = CheckRun(
      selection: selection, format: format(for: selection, invocation, in: session),
      scheduler: request.scheduler,
      stale: stale.map { .stale($0, in: session.app.expectedFile?.path ?? "") },
      recording: recording)
    let code = try check.run(
      on: {
        let measurements = try EndingMeasurements(selection.selected, request, in: session)
        try session.note(measurements.remark)
        return measurements
      }, errors: session.errors)
    guard let hunt, code != .untrusted else { return code }
    try session.output.write("\n")
    return [code, try hunt.run(invocation, in: session)].max { $0.rawValue < $1.rawValue } ?? code
  }

  static let measuresMany = true

  /// What looks for leaks in endings that nobody has written; nil where nobody has asked for that.
  private static func hunt(
    _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> (any Command.Type)? {
    guard invocation.flag("hunt") else { return nil }
    for other in ["format", "schedules", "every-step"] where invocation.isGiven(other) {
      throw invocation.usageError("--hunt and --\(other) cannot be used together.")
    }
    return session.app.commands["hunt"]
  }

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
    case .sarif: CheckSARIF(output: output, program: invocation.program)
    }
  }
}
