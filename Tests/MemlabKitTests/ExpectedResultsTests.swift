import MemlabKit
import Testing

@Suite("A file of expected results") struct ExpectedResultsTests {
  private static let text = """
    # Expected results of scenarios, format 1.
    # 'our-lab check --record' writes this file, and 'our-lab check' compares with it.

    scenario cart, ending drop
      verdict leak
      object Cart: 2 created, 0 deinitialised
        held by task renewal: every minute
        held by Shop.last
      object Shop: 1 created, 1 deinitialised
      task renewal: every minute: 2 started, 0 finished
      task two\\nlines \\\\: 1 started, 1 finished
      metric lostUpdates: -3

    scenario cart, ending close, ending early
      verdict clean

    """

  @Test("is written as it was read") func roundTrip() throws {
    let results = try ExpectedResults(parsing: Self.text)
    #expect(results.entries.map(\.ending) == ["drop", "close, ending early"])
    #expect(results.text(for: "our-lab") == Self.text)
    #expect(results.declaration(of: "drop", in: "cart")?.tasks.last?.name == "two\nlines \\")
    #expect(results.declaration(of: "drop", in: "other") == nil)
  }

  @Test("may have the line breaks of another system") func lineBreaks() throws {
    let text = Self.text.replacing("\n", with: "\r\n")
    #expect(try ExpectedResults(parsing: text).text(for: "our-lab") == Self.text)
  }

  @Test(
    "is refused as a whole where a line is not understood, with the line's number",
    arguments: [
      ("", 1), ("scenario cart, ending drop", 1), (Self.text + "<<<<<<< HEAD\n", 16),
      (Self.text + "  object Cart: many created, 0 deinitialised\n", 16),
      (Self.text + "  verdict clean\n", 16), (Self.text + "  held by task a\n", 16),
      (Self.text + "scenario cart, ending drop\n  verdict clean\n", 16),
      (Self.text + "scenario cart\n", 16), (Self.text + "scenario cart, ending last\n", 16),
      (Self.text + "scenario a, ending b\n  verdict maybe\n", 17),
    ])
  func refused(text: String, line: Int) {
    let error = #expect(throws: ExpectedResultsError.self) { try ExpectedResults(parsing: text) }
    #expect(error?.line == line)
  }
}
