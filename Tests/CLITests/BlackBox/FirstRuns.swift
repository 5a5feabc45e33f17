import Synchronization
import TestSupport

/// The first run of each scenario, which several tests look at; `GoldenTests` runs it once more, and
/// expects the same bytes.
enum FirstRuns {
  private static let results = Mutex<[[String]: ProgramResult]>([:])

  /// What `memlab <id>` does.
  static func text(of id: String) throws -> ProgramResult { try result(of: [id]) }

  /// What `memlab <id> --format json` does.
  static func json(of id: String) throws -> ProgramResult {
    try result(of: [id, "--format", "json"])
  }

  /// What a command prints in so many columns.
  static func run(_ words: [String], columns: Int) throws -> ProgramResult {
    try result(of: words, columns: columns)
  }

  private static func result(of words: [String], columns: Int? = nil) throws -> ProgramResult {
    let key = words + [columns.map(String.init) ?? ""]
    if let run = results.withLock({ $0[key] }) { return run }
    let run = try MemlabBinary.run(words, environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
    return results.withLock { results in
      if let earlier = results[key] { return earlier }
      results[key] = run
      return run
    }
  }
}
