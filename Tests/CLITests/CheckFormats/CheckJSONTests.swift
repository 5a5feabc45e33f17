import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import TestSupport
import Testing

@Suite("The JSON of a check, memlab.check/1") struct CheckJSONTests {
  @Test("has the promised keys, with the promised types", arguments: CheckSamples.cases.indices)
  func keys(index: Int) throws {
    let text = CheckSamples.output(index, format: "json")
    #expect(text.hasPrefix("{\n  \"schema\" : \"memlab.check/1\",\n"))
    let report = try text.jsonObject()
    #expect(report["scheduler"] as? String == SchedulerName.default.rawValue)
    #expect(report["asExpected"] as? Bool == (CheckSamples.cases[index].code == .success))
    #expect((report["error"] is String) == (CheckSamples.cases[index].code == .untrusted))
    let results = try #require(report["results"] as? [[String: Any]])
    for result in results {
      for key in ["scenario", "family", "ending", "file"] { #expect(result[key] is String) }
      #expect(result["line"] is Int)
      #expect(result["differences"] is [String])
      #expect(result["declared"] is [String: Any])
      let status = try #require(result["status"] as? String)
      #expect((result["reason"] is String) == ["skipped", "untrusted"].contains(status))
      #expect(
        (result["measured"] is [String: Any]) == ["asDeclared", "differing"].contains(status))
    }
    try Self.check(try #require(report["summary"] as? [String: Int]), results)
  }

  private static func check(_ summary: [String: Int], _ results: [[String: Any]]) throws {
    let statuses = results.compactMap { $0["status"] as? String }
    for status in ["asDeclared", "differing", "untrusted", "skipped"] {
      #expect(summary[status] == statuses.count { $0 == status })
    }
    #expect(summary["endings"] == results.count)
    #expect(summary["ran"] == results.count - (try #require(summary["skipped"])))
  }

  @Test("says what is declared and what was measured") func difference() throws {
    let report = try CheckSamples.output(1, format: "json").decoded(as: CheckReport.self)
    let result = try #require(report.results.last)
    #expect(result.status == .differing)
    #expect(result.declared.verdict == .leak)
    #expect(result.measured?.verdict == .clean)
    #expect(result.measured?.objects == result.declared.objects)
    #expect(report.results[2].differences[0].contains(CheckSamples.nasty))
  }

  @Test("names for every scenario the file that declares it") func places() throws {
    let report = try MemlabBinary.run(["check", "--format", "json"]).exits(0).stdout.decoded(
      as: CheckReport.self)
    for result in report.results {
      let source = try Repository.text(result.file)
      let line = source.split(separator: "\n", omittingEmptySubsequences: false)[result.line - 1]
      #expect(line.contains("Scenario("), "\(result.file):\(result.line)")
      #expect(source.contains("\"\(result.scenario)\""))
    }
  }

  @Test("is closed and says why where the self-check fails") func selfCheck() throws {
    let report = try CheckSamples.blindOutput(format: "json").jsonObject()
    #expect((report["error"] as? String)?.hasPrefix("the self-check failed") == true)
    #expect((report["summary"] as? [String: Int])?["skipped"] == 1)
  }
}

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

  @Test("marks the declaration with what differs, and gives line breaks back") func annotations() {
    let lines = CheckSamples.output(1, format: "github").split(separator: "\n")
    let start =
      "::error file=Sources/Course/Scenarios/differing.swift,line=7,title=differing%2C ending"
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(start) bad::step 1, \""))
    #expect(lines[1] == "\(start) end::verdict: expected leak, measured clean")
    #expect(lines[2].hasSuffix("::4 endings of 4 ran, 0 skipped: 2 as declared, 2 not"))
    #expect(Self.unescaped(lines[0]).contains(CheckSamples.nastyShown))
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

@Suite("memlab check --format sarif") struct CheckSARIFTests {
  @Test("names rules that it has, and marks the declaration", arguments: CheckSamples.cases.indices)
  func results(index: Int) throws {
    let sample = CheckSamples.cases[index]
    let run = try SARIF(CheckSamples.output(index, format: "sarif"))
    #expect(run.results.isEmpty == (sample.code == .success))
    for result in run.results {
      #expect(run.rules.contains(result.ruleId))
      // A comma and a colon would end a part of an address.
      #expect(result.uri == "Sources/Course/Scenarios/\(result.message.prefix { $0 != "," }).swift")
      #expect(result.line == 7)
      #expect(!result.fingerprint.isEmpty)
    }
    #expect(Set(run.results.map(\.fingerprint)).count == run.results.count)
  }

  @Test("says that the check has stopped, and why") func stopped() throws {
    let run = try SARIF(CheckSamples.blindOutput(format: "sarif"))
    #expect(run.results.isEmpty)
    #expect(run.error?.hasPrefix("the self-check failed") == true)
    #expect(try SARIF(CheckSamples.output(1, format: "sarif")).error == nil)
  }

  @Test("names files as addresses do, below the folder or from the root") func files() throws {
    let here = FileManager.default.currentDirectoryPath
    for (file, uri) in [
      (here + "/Sources/A b,c:ä.swift", "Sources/A%20b%2Cc%3A%C3%A4.swift"),
      ("/elsewhere/A.swift", "file:///elsewhere/A.swift"),
    ] {
      let log = SARIFLog(
        tool: "t", rules: [("r", "R.")],
        results: [
          .init(rule: "r", isError: true, message: "m", file: file, line: 3, fingerprint: "f")
        ])
      let run = try SARIF(log.text)
      #expect(run.results.map(\.uri) == [uri] && run.results.map(\.line) == [3])
    }
  }
}

/// What a reader of SARIF 2.1.0 takes from a log of one run.
struct SARIF {
  struct Result {
    let ruleId, message, fingerprint: String
    let uri: String?
    let line: Int?
  }

  let rules: [String]
  let results: [Result]
  let error: String?

  init(_ text: String) throws {
    let log = try text.jsonObject()
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = (run["tool"] as? [String: [String: Any]])?["driver"]
    rules = (driver?["rules"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    results = try (run["results"] as? [[String: Any]] ?? []).map { result in
      let place =
        ((result["locations"] as? [[String: Any]])?.first?["physicalLocation"]) as? [String: Any]
      return Result(
        ruleId: try #require(result["ruleId"] as? String),
        message: try #require((result["message"] as? [String: String])?["text"]),
        fingerprint: try #require(
          (result["partialFingerprints"] as? [String: String])?["memlab/v1"]),
        uri: (place?["artifactLocation"] as? [String: String])?["uri"],
        line: (place?["region"] as? [String: Int])?["startLine"])
    }
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    let notes = invocation["toolExecutionNotifications"] as? [[String: Any]] ?? []
    error = (notes.first?["message"] as? [String: String])?["text"]
    #expect((invocation["executionSuccessful"] as? Bool) == (error == nil))
  }
}

@Suite("memlab check --format junit") struct CheckJUnitTests {
  @Test(
    "is well-formed, keeps to the schema, and counts what is there",
    arguments: CheckSamples.cases.indices)
  func schema(index: Int) throws {
    let root = try XMLOutline.root(of: CheckSamples.output(index, format: "junit"))
    let unlisted = CheckSamples.cases[index].words.isEmpty ? 0 : 3
    #expect(JUnitSchema.problems(of: root, unlisted: unlisted) == [])
  }

  @Test("does not list what was not asked for, and says how long the rest took")
  func selected() throws {
    let root = try XMLOutline.root(of: CheckSamples.output(2, format: "junit"))
    #expect(root.children.map { $0.attributes["name"] } == ["sound"])
    #expect(root.attributes["tests"] == "4")
    #expect(root.attributes["skipped"] == "3")
    #expect(root.children[0].attributes["tests"] == "1")
    for element in [root, root.children[0], root.children[0].children[0]] {
      #expect(element.attributes["time"]?.wholeMatch(of: /\d+\.\d{3}/) != nil)
    }
  }

  @Test("has a case for each ending, each with its outcome") func outcomes() throws {
    let root = try XMLOutline.root(of: CheckSamples.output(3, format: "junit"))
    let cases = root.children.flatMap(\.children)
    #expect(
      cases.map { $0.children.first?.name ?? "passed" } == [
        "passed", "passed", "error", "skipped", "skipped", "skipped", "skipped",
      ])
    #expect(root.attributes["errors"] == "1")
  }

  @Test("tells what differs, and shows what XML cannot write") func differences() throws {
    let root = try XMLOutline.root(of: CheckSamples.output(1, format: "junit"))
    let failures = root.children.flatMap(\.children).flatMap(\.children)
    #expect(failures.map(\.name) == ["failure", "failure"])
    #expect(failures[1].text.contains("verdict: expected leak, measured clean"))
    #expect(failures[1].text.hasPrefix("Sources/Course/Scenarios/differing.swift:7\n"))
    #expect(failures[0].attributes["message"]?.contains(CheckSamples.nastyShown) == true)
    #expect(failures[0].text.contains(CheckSamples.nastyShown))
  }

  @Test("is closed and has an error where the self-check fails") func selfCheck() throws {
    let root = try XMLOutline.root(of: CheckSamples.blindOutput(format: "junit"))
    #expect(JUnitSchema.problems(of: root) == [])
    #expect(root.attributes["errors"] == "1")
    #expect(root.attributes["skipped"] == "1")
  }
}

@Suite("memlab check --format tap") struct CheckTAPTests {
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
    let bare = line.replacing(/"(?:[^"\\\x00-\x1F]|\\["\\nt]|\\U[0-9A-F]{8})*"/, with: "S")
    let isKnown = bare.wholeMatch(of: /\ \ (?:\ \ )?((S|\w+):( (S|\w+))?|- S)/) != nil
    return isKnown ? [] : ["not YAML: \(line)"]
  }
}

/// Scenarios that come out in each of the ways that a format has to tell of.
enum CheckSamples {
  /// What every format has a rule against.
  static let nasty = "]]> <b>&\"q\"'\\ # 100% %0A, a: b\u{1B}[31m\u{FFFF}\r\nnext\tline\u{2028}end"
  /// The same where nothing is obeyed but line breaks.
  static let nastyShown = nasty.replacing("\u{1B}", with: "\\u{1B}")
    .replacing("\u{FFFF}", with: "\\u{FFFF}").replacing("\u{2028}", with: "\\u{2028}")

  /// A step whose text is nasty breaks its promise.
  static let differing = scenario(
    "differing", [Samples.ending(.clean), broken("bad", nasty), Samples.ending(.leak)])

  /// The second of three endings does not come to rest.
  static let stopping = scenario(
    "stopping",
    [
      Samples.ending(.clean),
      Ending("bad", "-", expects: .nothing, explanation: "-") { lab in
        try lab.step("one") { throw Stop() }
      }, Samples.ending(.clean),
    ])

  /// All is as declared.
  static let sound = scenario("sound", [Samples.ending(.clean)])

  /// What every format is shown: the words after `check`, and what there is to check.
  static let cases: [(name: String, words: [String], scenarios: [Scenario], code: ExitCode)] = [
    ("all is well", [], [sound], .success),
    ("something differs", [], [sound, differing], .unexpected),
    ("something is skipped", ["--only", "so*d"], [sound, differing], .success),
    ("the check stops", [], [sound, stopping, differing], .untrusted),
  ]

  private struct Stop: Error, CustomStringConvertible {
    var description: String { "stopped at \(CheckSamples.nasty)" }
  }

  private static func broken(_ name: String, _ text: String) -> Ending {
    Ending(name, "-", expects: .nothing, explanation: "-") { lab in
      try lab.step(text, until: { false }) {}
    }
  }

  private static func scenario(_ id: String, _ endings: [Ending]) -> Scenario {
    Scenario(
      id: id, title: "a sample", document: Document(file: "none.txt", title: "None"),
      place: "nowhere", lesson: "none", question: "What?", hint: "That.", endings: endings,
      path: "/home/a,b:c/Sources/Course/Scenarios/\(id).swift", line: 7)
  }
}

extension CheckSamples {
  /// What `memlab check` writes of a case, in a format.
  static func output(_ index: Int, format: String) -> String {
    let (sample, page) = (cases[index], Page())
    let code = page.run(["check", "--format", format] + sample.words, sample.scenarios)
    #expect(code == sample.code, "\(sample.name)")
    return page.output
  }

  /// What `memlab check` writes where the planted leak is not seen.
  static func blindOutput(format: String) -> String {
    let page = Page.run(["check", "--format", format], [sound], selfCheck: Samples.blindSelfCheck)
      .exits(.untrusted)
    return page.stdout
  }
}
