import Foundation
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

  @Test("is told of where many orders are run, in text and in JSON")
  func schedules() throws {
    let words = ["namesakes", "--ending", "together", "--schedules", "2"]
    let text = try HardCases.run(["blind"] + words)
    #expect(text.exitCode == 0, "\(text.stderr)")
    #expect(text.stdout.joinedLines.hasPrefix(Self.sentence + " namesakes, ending together"))
    #expect(try remark(of: ["blind"] + words) == Self.sentence)
    #expect(try remark(of: words) == nil)
  }

  private func remark(of words: [String]) throws -> String? {
    struct Document: Decodable { let remark: String? }
    let run = try HardCases.run(words + ["--format", "json"])
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.schedules/1\",\n"))
    return try JSONDecoder().decode(Document.self, from: Data(run.stdout.utf8)).remark
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
