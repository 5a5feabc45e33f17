import Testing

@Suite("memlab check --format tap")
struct CheckTAPTests {
  @Test("keeps to the rules of TAP 14", arguments: CheckSamples.cases.indices)
  func rules(index: Int) {
    #expect(TAPRules.problems(of: CheckSamples.output(index, format: "tap")) == [])
  }

  @Test("fails a test point with what is declared and what was measured") func diagnostics() {
    let output = CheckSamples.output(1, format: "tap")
    #expect(output.contains("\nok 2 - differing, ending end\n"))
    #expect(output.contains("\nnot ok 4 - differing, ending end\n  ---\n"))
    #expect(output.contains("  declared:\n    verdict: leak\n    \"Thing\": \"1 of 1 dein"))
    #expect(output.contains("  measured:\n    verdict: clean\n"))
    #expect(output.contains("    - \"verdict: expected leak, measured clean\"\n  ...\n"))
    #expect(output.hasSuffix("\n# 4 endings of 4 ran, 0 skipped: 2 as declared, 2 not\n"))
  }

  @Test("names what is skipped, in its plan too") func skipped() {
    let output = CheckSamples.output(2, format: "tap")
    #expect(output.hasPrefix("TAP version 14\n1..4\nok 1 - sound, ending end\n"))
    #expect(output.contains("\nok 2 - differing, ending end # SKIP not selected\n"))
  }

  @Test("bails out, in one line, where the check stops") func stopped() {
    for output in [CheckSamples.output(3, format: "tap"), CheckSamples.blindOutput(format: "tap")] {
      let last = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last
      #expect(last?.hasPrefix("Bail out! ") == true)
      #expect(TAPRules.problems(of: output) == [])
    }
  }
}

/// The grammar of TAP 14, as far as a document without subtests has to keep to it.
enum TAPRules {
  /// Each line that breaks a rule, and what the document as a whole lacks.
  static func problems(of text: String) -> [String] {
    var problems: [String] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.popLast() != "" { problems.append("the last line has no end") }
    if lines.isEmpty || lines.removeFirst() != "TAP version 14" { problems.append("no version") }
    guard !lines.isEmpty, let plan = lines.removeFirst().wholeMatch(of: /1\.\.(\d+)/) else {
      return problems + ["no plan"]
    }
    var (points, isInYAML) = (0, false)
    for line in lines {
      if isInYAML {
        if line == "  ..." { isInYAML = false } else { problems += yamlProblems(of: line) }
      } else if line == "  ---" {
        isInYAML = true
      } else if let point = line.wholeMatch(
        of: /(?:not )?ok (\d+) - ((?:[^#\\]|\\[#\\])*)( # SKIP .*)?/)
      {
        points += 1
        if point.1 != "\(points)" { problems.append("number \(point.1) is not \(points)") }
      } else if !line.hasPrefix("# "), !line.hasPrefix("Bail out!") {
        problems.append("what is this? \(line)")
      }
    }
    if isInYAML { problems.append("a YAML block is not closed") }
    if plan.1 != "\(points)" { problems.append("\(points) points, but the plan is \(plan.1)") }
    return problems
  }

  private static func yamlProblems(of line: String) -> [String] {
    let scalar = /"(?:[^"\\\x00-\x1F]|\\["\\nt]|\\U[0-9A-F]{8})*"/
    let bare = line.replacing(scalar, with: "S")
    let isKnown = bare.wholeMatch(of: /\ \ (?:\ \ )?((S|\w+):( (S|\w+))?|- S)/) != nil
    return isKnown ? [] : ["not YAML: \(line)"]
  }
}
