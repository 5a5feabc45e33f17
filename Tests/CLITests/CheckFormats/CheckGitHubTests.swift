import Testing

@Suite("memlab check --format github") struct CheckGitHubTests {
  @Test("is made of workflow commands alone, one a line", arguments: CheckSamples.cases.indices)
  func commands(index: Int) {
    let output = CheckSamples.output(index, format: "github")
    #expect(output.hasSuffix("\n"))
    for line in output.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(
        line.wholeMatch(of: /::(error|notice) (file=[^:,\r]+,line=\d+,)?title=[^:,\r]+::[^\r]+/)
          != nil, "\(line)")
    }
  }

  @Test("marks the declaration with what differs, and gives everything back unescaped")
  func annotations() {
    let lines = CheckSamples.output(1, format: "github").split(separator: "\n")
    let start =
      "::error file=Sources/Course/Scenarios/differing.swift,line=7,title=differing%2C ending"
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(start) bad::step 1, \""))
    #expect(lines[1] == "\(start) end::verdict: expected leak, measured clean")
    #expect(lines[2].hasSuffix("::4 endings of 4 ran, 0 skipped: 2 as declared, 2 not"))
    #expect(Self.unescaped(lines[0]).contains(CheckSamples.nasty))
  }

  @Test("says that the check has stopped") func stopped() {
    let output = CheckSamples.blindOutput(format: "github")
    #expect(output.hasPrefix("::error title=memlab check::The check has stopped: the self-check"))
  }

  // As the runner does it: https://github.com/actions/runner, ActionCommand.cs.
  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing(
      "%25", with: "%")
  }
}
