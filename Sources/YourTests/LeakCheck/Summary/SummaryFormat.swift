import MemlabPlatform

/// What the tests of a process have left behind.
struct Summary {
  /// The leaks, those of most tests first.
  let groups: [LeakGroup]
  /// What is known and was not found, a sentence each.
  let gone: [String]
  /// How many tests were judged.
  let tests: Int
  /// The library that runs them.
  let library: String
  /// Whether all tests have ended.
  let isWhole: Bool

  /// Why it may not be all, as a sentence; empty where it is.
  var interruption: [String] {
    isWhole ? [] : ["the run had not ended when this was written: later tests are not in it"]
  }

  /// How many tests could not be judged.
  var unjudged: Int { Self.testCount(of: groups.filter { !$0.isLeak }) }

  /// The numbers, in a line.
  var sentence: String {
    let leaks = groups.filter(\.isLeak)
    let known = leaks.filter { !$0.isNew }.count
    let leaking =
      leaks.isEmpty
      ? "none of \(tests) tests leaks"
      : "\(Self.testCount(of: leaks)) of \(tests) tests leak, in \(leaks.count.inWays)"
        + (known > 0 ? ", \(known) of them known" : "")
    let end = interruption.map { "; \($0)" }.joined()
    if unjudged == tests { return "LeakCheck: none of \(tests) tests could be judged\(end)" }
    return "LeakCheck: " + leaking + (unjudged > 0 ? "; \(unjudged) could not be judged" : "") + end
  }

  /// How many tests have left some leaks behind.
  static func testCount(of groups: [LeakGroup]) -> Int { Set(groups.flatMap(\.tests)).count }
}

extension Int { fileprivate var inWays: String { self == 1 ? "1 way" : "\(self) ways" } }

/// How a summary is written.
enum SummaryFormat: String {
  /// For a reader.
  case text
  /// For programs: one object, whose first version is `leakcheck.summary/1`.
  case json
  /// For servers that show the results of tests.
  case junit
  /// As commands of GitHub's workflows, which become notes on a change.
  case github
  /// As services for code scanning and editors read it.
  case sarif

  /// A summary in this format.
  func text(of summary: Summary) -> String {
    switch self {
    case .text: Self.plain(summary)
    case .json: Self.json(summary)
    case .junit: Self.junit(summary)
    case .github: Self.github(summary)
    case .sarif: Self.sarif(summary)
    }
  }

  private static func plain(_ summary: Summary) -> String {
    let groups = summary.groups
    var lines = [summary.sentence]
    for group in groups {
      lines += ["", group.title + (group.isNew ? "" : " (known)")]
      if !group.holder.isEmpty { lines.append("  \(group.holder)") }
      let times = group.count == 1 ? "once" : "\(group.count) times"
      let fingerprint = group.isLeak ? "; fingerprint \(group.fingerprint)" : ""
      lines.append("  \(times), in \(names(of: group.tests))\(fingerprint)")
    }
    let holders = LeakHolder.all(of: groups)
    if holders.contains(where: { $0.ways > 1 }) {
      lines += ["", "By holder:"]
      lines += holders.map { "  \($0.count) in \($0.ways.inWays): \($0.holder)" }
    }
    if !summary.gone.isEmpty { lines += [""] + summary.gone }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func names(of tests: [String]) -> String {
    tests.prefix(3).joined(separator: ", ")
      + (tests.count > 3 ? " and \(tests.count - 3) more" : "")
  }

  private static func json(_ summary: Summary) -> String {
    let leaks = summary.groups.filter(\.isLeak)
    let document: JSONObject = [
      "schema": "leakcheck.summary/1", "library": summary.library, "isWhole": summary.isWhole,
      "tests": summary.tests, "leaking": Summary.testCount(of: leaks), "unjudged": summary.unjudged,
      "leaks": leaks, "holders": LeakHolder.all(of: leaks), "gone": summary.gone,
    ]
    return String(decoding: (try? JSONEncoder.stable.encode(document)) ?? Data(), as: UTF8.self)
      + "\n"
  }

  private static func junit(_ summary: Summary) -> String {
    let (groups, gone) = (summary.groups, summary.gone + summary.interruption)
    let new = groups.filter(\.isNew)
    let found = groups.map { group in
      junitCase(
        group.title + (group.isLeak ? " \(group.fingerprint)" : ""),
        JUnitElement(
          group.isNew ? "failure" : "skipped", [("message", names(of: group.tests))],
          text: group.report))
    }
    let failed = gone.map { junitCase("the run", JUnitElement("failure", [("message", $0)])) }
    let cases = groups.isEmpty && gone.isEmpty ? [junitCase("no leak")] : found + failed
    let counts = [
      ("tests", cases.count), ("failures", new.count + gone.count),
      ("skipped", groups.count - new.count),
    ]
    return JUnitElement(
      "testsuite", [("name", "LeakCheck \(summary.library)")] + counts.map { ($0, "\($1)") },
      children: cases
    ).document
  }

  private static func junitCase(_ name: String, _ results: JUnitElement...) -> JUnitElement {
    JUnitElement("testcase", [("classname", "LeakCheck"), ("name", name)], children: results)
  }

  private static func github(_ summary: Summary) -> String {
    let lines = summary.groups.map { group in
      let text = "\(group.report)\nin \(group.tests.joined(separator: ", "))".inWorkflow
      let place = group.file.map { "file=\($0.asWorkflowProperty),line=\(group.line ?? 1)," } ?? ""
      let title = "\(place)title=\(group.title.asWorkflowProperty)"
      return "::\(group.isNew ? "error" : "warning") \(title)::\(text)"
    }
    let rest = (summary.gone + summary.interruption).map {
      "::error title=LeakCheck::\($0.inWorkflow)"
    }
    return (lines + rest + ["::notice::\(summary.sentence)"]).joined(separator: "\n") + "\n"
  }

  // An equal leak is found at another line when somebody has written above it.
  private static func sarif(_ summary: Summary) -> String {
    let results = summary.groups.map { group in
      SARIFLog.Result(
        rule: group.isLeak ? "leak" : "unjudged", isError: group.isNew,
        message: "\(group.report)\nin \(group.tests.joined(separator: ", "))", file: group.file,
        line: group.line, fingerprint: group.isLeak ? group.fingerprint : group.report)
    }
    let rest = summary.gone.map {
      SARIFLog.Result(
        rule: "gone", isError: true, message: $0, file: nil, line: nil, fingerprint: $0)
    }
    let rules = [
      ("gone", "What is known to leak still leaks."),
      ("leak", "What a test has made is gone when the test has ended."),
      ("unjudged", "Whether a test leaks can be judged."),
    ]
    return SARIFLog(
      tool: "LeakCheck", rules: rules, results: results + rest, error: summary.interruption.first
    ).text
  }
}
