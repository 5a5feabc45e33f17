import FoundationEssentials
import TestSupport

/// The memlab of the folder `Fixtures/HardCases`.
enum HardCases {
  private static let program = Program(MemlabBinary.folder.appending(path: "HardCases"))

  /// Runs it.
  static func run(_ words: String...) throws -> ProgramResult { try run(words) }

  /// Runs it.
  static func run(_ words: [String], environment: [String: String?] = [:]) throws -> ProgramResult {
    try program.run(
      words, environment: MemlabBinary.neutral.merging(environment) { $1 }, limit: .seconds(120))
  }

  /// Runs what mostly waits, while other tests go on.
  static func runBesideTests(
    _ words: [String], environment: [String: String?] = [:]
  ) async throws -> ProgramResult {
    try await program.runBesideTests(
      words, environment: MemlabBinary.neutral.merging(environment) { $1 }, limit: .seconds(120))
  }
}
