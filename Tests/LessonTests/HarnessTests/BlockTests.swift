import TestSupport
import Testing

@Suite("The check of blocks") struct BlockTests {
  @Test(
    "a block that nothing proves is refused",
    arguments: [
      ("swift", nil), ("", nil), ("sh", nil), ("json", nil), ("mermaid", "a diagram"),
      ("swift", "output:"), ("text", "by hand:"), ("json", "snippet: Sources/A.swift#a"),
      ("console", "by hand: it is long"), ("swift", "by hand: a sketch"),
    ] as [(String, String?)])
  func unproven(language: String, comment: String?) throws {
    try Checkout().expectRefusal(of: Sample.block(language, "x", comment: comment))
  }

  @Test("a block may say that it was made by hand, and why") func byHand() throws {
    let text = Sample.block("text", "x", comment: "by hand: a sketch of what to draw")
    #expect(try Checkout().check(text).problems.isEmpty)
  }

  @Test("a block may be played by another package, which is there") func playedElsewhere() throws {
    let checkout = try Checkout(["Other/Package.swift": ""])
    let known = Sample.block("console", "$ ls", comment: "played by: Other")
    #expect(checkout.check(known).problems.isEmpty)
    let unknown = Sample.block("console", "$ ls", comment: "played by: Nowhere")
    #expect(checkout.check(unknown).problems.count == 1)
  }

  @Test("a block may be all that a command prints", .needsHeap) func output() throws {
    let comment = "output: memlab say graph"
    let checkout = try Checkout()
    #expect(checkout.check(Sample.block("mermaid", "graph", comment: comment)).problems == [])
    let (problems, renewed) = checkout.check(Sample.block("mermaid", "old", comment: comment))
    #expect(problems.count == 1)
    #expect(renewed == Sample.block("mermaid", "graph", comment: comment))
  }

  @Test("a command that fails, or is not memlab's, gives no output to copy")
  func noOutput() throws {
    for command in ["memlab nonsense", "ls"] {
      let text = Sample.block("mermaid", "x", comment: "output: \(command)")
      #expect(try Checkout().check(text).problems.count == 1)
    }
  }

  @Test("renewing one block leaves everything else as it is", .needsHeap) func othersStay() throws {
    let text = """
      # Title \u{20}
      1. In a list:

         ```console
         $ memlab say a
         wrong
         ```

      ~~~~console
      $ memlab say ```
      ~~~~
      ````console
      $ memlab say b
      ```
      b
      ````
      누수\r
      <!-- by hand: a sketch -->
      ```text
      wrong
      ```
      no newline at the end
      """
    let (problems, renewed) = try Checkout().check(text)
    #expect(problems.map { $0.prefix(12) } == ["README.md:5:", "README.md:10", "README.md:13"])
    #expect(
      renewed == text.replacing("   wrong\n", with: "   a\n").replacing("```\nb\n", with: "b\n"))
  }

  @Test("a fence that is not closed is found") func notClosed() throws {
    let text = "```console\n$ memlab say a\na\n"
    let (problems, renewed) = try Checkout().check(text)
    #expect(problems == ["README.md:1: this fence is not closed"])
    #expect(renewed == text)
  }

  @Test("a fence in the midst of a line is found, for its block would go unchecked")
  func inQuotation() throws {
    let (problems, _) = try Checkout().check("> ```console\n> $ memlab say a\n> b\n> ```\n")
    #expect(problems.count == 2)
  }

  @Test("lines that end as on Windows are read, and do not pass for others")
  func carriageReturns() throws {
    let text = "\r\n```console\r\n$ memlab count\r\n…\r\n```\r\n"
    #expect(try !Checkout().check(text).problems.isEmpty)
  }
}
