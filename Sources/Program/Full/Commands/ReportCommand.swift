import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// `memlab report --html FILE`: what was measured, as a page.
enum ReportCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "report", abstract: "Write what is measured as a page of HTML.",
      discussion: """
        Runs every ending and writes one page that needs no network: the matrix of patterns and \
        endings, and for each ending its steps, its counts, the picture of who holds whom and the \
        edge to cut. The page is written whole or not at all. Exits with 1 when anything was \
        measured otherwise than declared; the page is written all the same, and says so.
        """,
      arguments: [
        ArgumentSpec(
          "scenario", help: "The scenarios to report on; all of them if none is named.",
          values: .scenario, isOptional: true, isRepeating: true)
      ],
      options: [
        .option(
          "html", valueName: "file", help: "Write the page here; '-' is the standard output.",
          values: .file, isRequired: true),
        .scheduler, .requireHeap,
      ])
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let file = invocation.value("html") else {
      preconditionFailure("the parser let a required option be missing")
    }
    let named = invocation.positionals
    let scenarios = session.scenarios.filter { named.isEmpty || named.contains($0.id) }
    let items = scenarios.flatMap { scenario in scenario.endings.map { (scenario, $0) } }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.result(.everything), invocation), in: session)
    try measurements.writeRemark(in: session)
    let subjects = try scenarios.map { scenario in
      let trials = try scenario.endings.map { _ in try measurements.trial(in: session) }
      let report = Report(scenario: scenario, trials: trials, remark: measurements.remark)
      let code = Listing.of(scenario).map(\.code).joined(separator: "\n\n")
      return HTMLPage.Subject(
        scenario: scenario, report: report, code: code.isEmpty ? nil : code)
    }
    let app = session.app
    let page = HTMLPage(
      subjects, of: PageApp(name: app.name, hasCourse: app.course != nil), among: app.scenarios,
      remark: measurements.remark)
    if file == "-" {
      try session.output.write(page.text)
    } else {
      try WholeFile(file).write(page.text)
      try session.errors.write("The page is in \(quotedPath(file)).\n")
    }
    return page.isAsExpected ? .success : .unexpected
  }

  static let measuresMany = true
}
