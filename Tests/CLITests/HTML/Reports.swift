import FoundationEssentials
import MemlabKit
import TestSupport

/// What the binary has measured.
enum Reports {
  /// The report on all endings of a scenario.
  static func of(_ scenario: String) throws -> Report {
    let run = try FirstRuns.json(of: scenario)
    return try JSONDecoder().decode(Report.self, from: Data(run.stdout.utf8))
  }
}
