import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab check`: compares what every ending of every scenario measures with what it declares.
enum CheckCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let recording = try recording(invocation, in: session)
    let session = recording?.measuring ?? session
    let selection = try CheckSelection(invocation, in: session)
    try refuse(["schedules"], beside: "every-step", invocation)
    try refuse(["format", "schedules", "every-step"], beside: "hunt", invocation)
    // What looks for leaks in endings that nobody has written; nil where nobody has asked for that.
    let hunt = invocation.flag("hunt") ? session.app.commands["hunt"] : nil
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
    guard let hunt else { return code }
    try session.output.write("\n")
    return [code, try hunt.run(invocation, in: session)].max { $0.rawValue < $1.rawValue } ?? code
  }

  static let measuresMany = true

  private static func refuse(
    _ others: [String], beside option: String, _ invocation: Invocation
  ) throws(UsageError) {
    for other in others where invocation.flag(option) && invocation.isGiven(other) {
      throw invocation.usageError("--\(option) and --\(other) cannot be used together.")
    }
  }

  private static func recording(
    _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> RecordRun? {
    guard session.app.course == nil, invocation.flag("record") else { return nil }
    try refuse(["schedules", "every-step"], beside: "record", invocation)
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
