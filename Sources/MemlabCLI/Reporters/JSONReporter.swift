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

/// Values as JSON whose first key is the version of the schema.
package enum VersionedJSON {
  /// A value with the schema's version as its first key and all others sorted, so that equal
  /// measurements are equal bytes.
  package static func text(of value: some Encodable, schema: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(value), as: UTF8.self)
    return "{\n  \"schema\" : \"\(schema)\"," + body.dropFirst()
  }
}
