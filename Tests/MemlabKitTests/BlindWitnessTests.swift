import TestSupport
import Testing

@Suite("A second witness that does not see its planted task wait")
struct BlindWitnessTests {
  private static let sentence = """
    the heap was not read: the heap trace does not know this runtime: the planted task is not seen \
    to be suspended
    """

  @Test("leaves the ledger's counts to stand alone")
  func alone() throws {
    let run = try HardCases.run("blind", "namesakes", "--ending", "together")
    #expect(run.exitCode == 0, "\(run.stderr)")
    #expect(run.stdout.joinedLines.contains(Self.sentence), "\(run.stdout)")
  }

  @Test("ends memlab with 70 where the heap is required")
  func required() throws {
    let run = try HardCases.run("blind", "namesakes", "--require-heap")
    #expect(run.exitCode == 70)
    #expect(run.stderr == "Error: \(Self.sentence)\n")
  }
}

extension String {
  // Prose is wrapped.
  fileprivate var joinedLines: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
