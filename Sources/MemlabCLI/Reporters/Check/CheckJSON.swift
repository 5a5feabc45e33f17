import MemlabKit

/// A check for programs: `memlab.check/1`.
struct CheckJSON: CheckFormat {
  let output: Output

  func end(_ report: CheckReport) throws {
    try output.write(VersionedJSON.text(of: report, schema: CheckReport.schema) + "\n")
  }
}
