import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// `memlab report --html FILE`: what was measured, as a page.
enum ReportCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let file = invocation.value("html") else {
      preconditionFailure("the parser let a required option be missing")
    }
    let named = invocation.positionals
    let scenarios = session.scenarios.filter { named.isEmpty || named.contains($0.id) }
    let items = scenarios.flatMap { scenario in scenario.endings.map { (scenario, $0) } }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.result(.everything), invocation), in: session)
    try session.note(measurements.remark)
    let subjects = try scenarios.map { scenario in
      let trials = try scenario.endings.map { _ in try measurements.trial(in: session) }
      let report = Report(scenario: scenario, trials: trials, remark: measurements.remark)
      let code = Listing.of(scenario).map(\.code).joined(separator: "\n\n")
      return HTMLPage.Subject(scenario: scenario, report: report, code: code.isEmpty ? nil : code)
    }
    let app = session.app
    let page = HTMLPage(
      subjects, of: PageApp(name: app.name, hasCourse: app.course != nil), among: app.scenarios,
      remark: measurements.remark)
    try session.write(page.text, to: file)
    return page.isAsExpected ? .success : .unexpected
  }

  static let measuresMany = true
}

extension Session {
  /// Writes a page, and says where it is; to standard output for `-`.
  func write(_ page: String, to file: String) throws {
    guard file != "-" else { return try output.write(page) }
    try WholeFile(file).write(page)
    try errors.write("The page is in \(quotedPath(file)).\n")
  }
}
