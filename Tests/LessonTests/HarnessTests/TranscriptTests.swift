import TestSupport
import Testing

@Suite("The check of transcripts") struct TranscriptTests {
  @Test(
    "a true transcript passes",
    arguments: [
      ["$ memlab say hello", "hello"],
      ["$ swift run memlab say hello", "hello", "$ memlab say again", "again"],
      ["$ swift run -c release memlab say 'two words' \"it's\" # a comment", "two words|it's"],
      ["$ COLUMNS=40 memlab columns", "40"],
      ["$ memlab nonsense", "Error: unknown", "$ echo $?", "64"],
      ["$ memlab say", "", "$ echo $?", "0"],
      ["$ memlab half", "half a line", "\\ no newline at the end"],
      ["$ git clone https://example.org/memlab", "$ cd memlab", "$ swift test -c release"],
      ["$ memlab count", "…"], ["$ memlab count", "1", "…", "9"],
      ["$ memlab count", "…", "4", "5", "…", "8", "  …"],
    ])
  func isTrue(lines: [String]) throws {
    let text = Sample.block("console", lines.joined(separator: "\n"))
    let (problems, renewed) = try Checkout().check(text)
    #expect(problems.isEmpty)
    #expect(renewed == text)
  }

  @Test(
    "a wrong transcript is found and renewed", .needsHeap,
    arguments: [
      (["$ memlab say hello", "hallo"], ["$ memlab say hello", "hello"]),
      (["$ memlab say hello", "hello", ""], ["$ memlab say hello", "hello"]),
      (["$ memlab say hello"], ["$ memlab say hello", "hello"]),
      (["$ memlab say hello", "hello "], ["$ memlab say hello", "hello"]),
      (
        ["$ memlab nonsense", "Error: unknown", "$ memlab say a", "a"],
        ["$ memlab nonsense", "Error: unknown", "$ echo $?", "64", "$ memlab say a", "a"]
      ),
      (
        ["$ memlab nonsense", "Error: unknown", "$ echo $?", "1"],
        ["$ memlab nonsense", "Error: unknown", "$ echo $?", "64"]
      ),
      (
        ["$ memlab count", "0", "…", "4", "40", "…", "8", "90"],
        ["$ memlab count", "1", "…", "4", "5", "…", "8", "9"]
      ),
    ])
  func isWrong(lines: [String], better: [String]) throws {
    let checkout = try Checkout()
    let (problems, renewed) = checkout.check(Sample.block("console", lines.joined(separator: "\n")))
    #expect(problems.count == 1)
    #expect(problems.allSatisfy { $0.hasPrefix("README.md:") && $0.contains("make record") })
    #expect(renewed == Sample.block("console", better.joined(separator: "\n")))
    #expect(checkout.check(renewed).problems.isEmpty)
  }

  @Test(
    "what can't be run is refused, and left as it is", .needsHeap,
    arguments: [
      ["$ ls", "README.md"], ["$ memlab count | head -1", "1"], ["$ memlab say $HOME", "home"],
      ["$ memlab say \"$HOME\"", "home"], ["$ memlab say 'open", "open"], ["$ memlab say a > file"],
      ["$ memlab say a; memlab say b", "a", "b"], ["$ memlabs", "…"], ["$ swift tests"],
      ["$ swift run other", "other"], ["$ swift test", "Test run passed."],
      ["$ swift test", "$ echo $?", "0"], ["$ echo $?", "0"], ["$ memlab count", "…", "70", "…"],
      ["$ memlab count", "1", "…", "9", "…", "9"], ["$ memlab say a", "a", "…", "a"],
      ["output", "$ memlab say output", "output"], ["no command"],
    ])
  func isRefused(lines: [String]) throws {
    try Checkout().expectRefusal(of: Sample.block("console", lines.joined(separator: "\n")))
  }

  @Test("a message names the file, the line of the command and the lines that differ")
  func message() throws {
    let text = Sample.block("console", "$ memlab say a", "a", "$ memlab say hello", "hallo")
    #expect(
      try Checkout().check(text).problems == [
        """
        README.md:6: 'memlab say hello': this prints something else; renew it with 'make record'
        - hallo
        + hello
        """
      ])
  }

  @Test("a memlab that can't be run is a problem, not a pass") func notBuilt() throws {
    struct NotBuilt: Error {}
    let text = Sample.block("console", "$ memlab say a", "…")
    try Checkout().expectRefusal(of: text, memlab: { _, _ in throw NotBuilt() })
  }
}
