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

  private static func result(of words: [String]) throws -> ProgramResult {
    if let run = results.withLock({ $0[words] }) { return run }
    let run = try MemlabBinary.run(words)
    return results.withLock { results in
      if let earlier = results[words] { return earlier }
      results[words] = run
      return run
    }
  }
}
