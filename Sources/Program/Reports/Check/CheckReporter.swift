package import MemlabKit
package import MemlabTerminalText
import Synchronization

/// The output of `memlab check`: a line for each ending, the names of those that failed, and a count.
package final class CheckReporter: CheckFormat {
  private let output: Output
  private let terminal: Terminal
  private let columns: CheckColumns
  // The scenario of the line before; nil before the first.
  private let latest = Mutex<String?>(nil)

  /// Reports on the endings of a selection.
  package init(
    output: Output, terminal: Terminal, selection: [(scenario: Scenario, ending: Ending)]
  ) {
    (self.output, self.terminal) = (output, terminal)
    columns = CheckColumns(selection, width: terminal.width)
  }

  /// Writes how an ending came out, with every difference on a line of its own.
  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    guard result.status != .skipped else { return }
    let complaints = result.complaints.flatMap {
      ProseLines.item($0, indent: "    ", width: terminal.width)
    }.map { StyledText($0.plain, .emphasis) }
    try write(start(of: result.scenario) + columns.lines(result, trial) + complaints)
  }

  /// What stands above an ending's line: the heading above the first, a scenario's name above its.
  private func start(of scenario: String) -> [StyledText] {
    latest.withLock { latest in
      defer { latest = scenario }
      return (latest == nil ? columns.heading : [])
        + (latest == scenario ? [] : columns.name(scenario))
    }
  }

  /// Writes which endings failed, how many were run and how many came out how.
  package func end(_ report: CheckReport) throws {
    guard report.summary.ran > 0 else { return }
    try write(
      [""] + names("Not as declared", of: .differing, in: report)
        + names("Not measured", of: .untrusted, in: report))
    let line = report.counts
    let isTooWide = line.width > terminal.width
    try write(isTooWide ? ProseLines.paragraph(line.plain, width: terminal.width) : [line])
  }

  // Their rows may have scrolled away.
  private func names(
    _ title: String, of status: CheckResult.Status, in report: CheckReport
  ) -> [StyledText] {
    let names = report.results.filter { $0.status == status }.map { "\($0.scenario) \($0.ending)" }
    guard !names.isEmpty else { return [] }
    return ProseLines.paragraph("\(title): \(names.joined(separator: ", "))", width: terminal.width)
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    try output.write(lines, color: terminal.usesColor)
  }
}

/// The columns of `memlab check`, as wide as what is going to stand in them.
///
/// Where the terminal is too narrow for all of them beside each other, the scenario's name goes
/// first and stands above its endings; then the verdict is left out, which what is left tells as
/// well; then what is left stands below its ending.
struct CheckColumns: Sendable {
  // "everything is gone", which stands in most lines. What is longer is wrapped.
  private static let remainderWidth = 18
  private let idWidth, endingWidth, width: Int

  /// Columns for these endings, in lines of at most a width.
  init(_ selection: [(scenario: Scenario, ending: Ending)], width: Int) {
    idWidth = max(selection.map(\.scenario.id.displayWidth).max() ?? 0, "scenario".count)
    endingWidth = max(selection.map(\.ending.name.displayWidth).max() ?? 0, "ending".count)
    self.width = width
  }

  /// What the marks mean, and what stands in which column.
  var heading: [StyledText] {
    let names = name("scenario") + row("  ", "scenario", "ending", "verdict", "what is left")
    return marks + [""] + names.map { StyledText($0.plain, .dim) }
  }

  private var marks: [StyledText] {
    let good = StyledText("✓", .clean) + " measured as declared, a leak shown on purpose included"
    let bad = StyledText("✗", .leaked) + " measured otherwise"
    let line = good + "; " + bad
    guard line.width > width else { return [line] }
    return [good, bad].flatMap { mark in
      let (first, rest) = mark.split(at: 2)
      return rest.plain.wrapped(to: width - 2).hanging(behind: first)
    }
  }

  /// The line above a scenario's endings; none where each of them has its name.
  func name(_ scenario: String) -> [StyledText] {
    namesEachLine ? [] : scenario.folded(to: width - 2).map { StyledText("  " + $0) }
  }

  /// How an ending came out.
  ///
  /// - Parameter trial: what was measured; nil when it could not be.
  func lines(_ result: CheckResult, _ trial: TrialReport?) -> [StyledText] {
    let mark = result.status.isFailure ? StyledText("✗ ", .leaked) : StyledText("✓ ", .clean)
    let orders = result.schedules.map { " · \(ScheduleLines.shortExtent(of: $0))" } ?? ""
    return row(
      mark, result.scenario, result.ending, trial?.verdict.rawValue ?? "–",
      (trial.map(VerdictLines.remainder) ?? "not measured") + orders)
  }

  private var namesEachLine: Bool { fits(idWidth + 2, verdictWidth) }
  private var verdictWidth: Int { "verdict".count + 2 }

  private func fits(_ widths: Int...) -> Bool {
    2 + endingWidth + 2 + widths.reduce(0, +) + Self.remainderWidth <= width
  }

  private func row(
    _ mark: StyledText, _ id: String, _ ending: String, _ verdict: String, _ rest: String
  ) -> [StyledText] {
    let name = namesEachLine ? id.padded(to: idWidth) + "  " : "  "
    let start = name + ending.padded(to: endingWidth) + "  "
    guard fits(2) else {
      let rest = ProseLines.paragraph(rest, indent: "      ", width: width)
      return [mark + StyledText(name + ending)] + rest
    }
    let showsVerdict = fits(2, verdictWidth)
    let head = mark + StyledText(start + (showsVerdict ? verdict.padded(to: verdictWidth) : ""))
    return rest.wrapped(to: width - head.width).hanging(behind: head)
  }
}

extension CheckReport {
  /// The check in a sentence, with how many endings ran and how many did not.
  package var sentence: String {
    let counts = summary
    return "\(counted(counts.ran, "ending")) of \(counts.endings) ran, \(counts.skipped) skipped: "
      + "\(counts.asDeclared) as declared, \(counts.differing) not\(unmeasured)"
  }

  /// How many endings came out how, on a terminal: "1 scenario, 3 endings: 3 as declared, 0 not".
  var counts: StyledText {
    let skipped = summary.skipped > 0 ? "; \(summary.skipped) skipped" : ""
    return StyledText(
      "\(counted(summary.scenarios, "scenario")), \(counted(summary.ran, "ending")): ")
      + StyledText("\(summary.asDeclared) as declared", .clean) + ", "
      + StyledText("\(summary.differing) not", summary.differing > 0 ? .leaked : nil)
      + StyledText(unmeasured, .leaked) + StyledText(skipped)
  }

  /// How many endings could not be measured, to end a sentence; empty where all could.
  package var unmeasured: String {
    summary.untrusted > 0 ? ", \(summary.untrusted) not measured" : ""
  }
}

extension CheckResult {
  /// What differs, or why nothing was measured, a sentence each.
  var complaints: [String] { differences + (status == .untrusted ? [reason ?? ""] : []) }
}
