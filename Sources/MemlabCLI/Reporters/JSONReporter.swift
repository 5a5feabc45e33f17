import FoundationEssentials
import MemlabKit

/// The report for programs: `memlab.report/1`.
struct JSONReporter: Reporter {
  let output: Output

  func begin(_ scenario: Scenario) {}
  func remark(_ sentence: String) {}
  func begin(_ ending: Ending) {}
  func step(_ record: StepRecord) {}
  func end(_ ending: Ending, _ trial: TrialReport) {}

  func end(_ scenario: Scenario, _ report: Report) throws {
    try output.write(Self.json(of: report) + "\n")
  }

  /// A report with the schema's version as its first key and all others sorted, so that equal
  /// measurements are equal bytes.
  static func json(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(report), as: UTF8.self)
    return "{\n  \"schema\" : \"\(Report.schema)\"," + body.dropFirst()
  }
}
