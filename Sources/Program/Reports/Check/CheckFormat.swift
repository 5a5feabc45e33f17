package import MemlabKit
package import MemlabTerminalText

/// Writes what `memlab check` finds, in one format; it runs nothing.
///
/// A format that can be written line by line is, so that what was found before a scenario trapped
/// is not lost; one that begins with its totals is written at the end.
package protocol CheckFormat: Sendable {
  /// The check is about to begin.
  ///
  /// - Parameter endings: how many endings there are, those that will be skipped included.
  func begin(endings: Int) throws

  /// An ending is over, or will not be run.
  ///
  /// - Parameters:
  ///   - trial: what was measured; nil when nothing was.
  ///   - number: the ending's place in the check, from 1.
  func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws

  /// All is over, or the check has stopped; the document must be closed.
  func end(_ report: CheckReport) throws
}

extension CheckFormat {
  package func begin(endings: Int) {}
  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) {}
}

/// What `memlab check --format` can name.
package enum CheckFormatName: String, CaseIterable {
  /// For people.
  case text
  /// For programs: the schema `memlab.check/1`.
  case json
  /// The XML that most build servers read.
  case junit
  /// The Test Anything Protocol, version 14.
  case tap
  /// GitHub's workflow commands: an annotation for each difference.
  case github
}

/// A check for programs: `memlab.check/1`.
package struct CheckJSON: CheckFormat {
  private let output: Output

  /// A check that is written to an output.
  package init(output: Output) { self.output = output }

  package func end(_ report: CheckReport) throws {
    try output.write(VersionedJSON.text(of: report, schema: CheckReport.schema) + "\n")
  }
}
