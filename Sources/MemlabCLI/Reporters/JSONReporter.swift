import MemlabKit

/// The report for programs: `memlab.report/1`.
struct JSONReporter: Reporter {
  let output: Output

  func begin(_ scenario: Scenario) {}
  // The report has it.
  func remark(_ sentence: String) {}
  func begin(_ ending: Ending) {}
  func step(_ record: StepRecord) {}
  func end(_ ending: Ending, _ trial: TrialReport) {}

  func end(_ scenario: Scenario, _ report: Report) throws {
    try output.write(VersionedJSON.text(of: report, schema: Report.schema) + "\n")
  }
}
