package import MemlabKit
package import MemlabTerminalText

/// The report for programs: `memlab.report/1`.
package struct JSONReporter: Reporter {
  private let output: Output

  /// A report that is written to an output.
  package init(output: Output) { self.output = output }

  package func begin(_ scenario: Scenario) {}
  // The report has it.
  package func remark(_ sentence: String) {}
  package func begin(_ ending: Ending) {}
  package func step(_ record: StepRecord) {}
  package func end(_ ending: Ending, _ trial: TrialReport) {}

  package func end(_ scenario: Scenario, _ report: Report) throws {
    try output.write(VersionedJSON.text(of: report, schema: Report.schema) + "\n")
  }
}
