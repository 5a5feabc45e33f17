import MemlabPlatform

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

  /// The whole summary.
  ///
  /// - Parameter gone: what is known and was not found.
  func text(of groups: [LeakGroup], gone: [String], tests: Int, in library: String) -> String {
    switch self {
    case .text: Self.plain(groups, gone, tests)
    case .json: Self.json(groups, gone, tests, library)
    case .junit: Self.junit(groups, gone, tests, library)
    case .github: Self.github(groups, gone, tests)
    case .sarif: Self.sarif(groups, gone)
    }
  }

  private static func plain(_ groups: [LeakGroup], _ gone: [String], _ tests: Int) -> String {
    var lines = [sentence(groups, tests)]
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
      lines += holders.map {
        "  \($0.count) in \($0.ways == 1 ? "1 way" : "\($0.ways) ways"): \($0.holder)"
      }
    }
    if !gone.isEmpty { lines += [""] + gone }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func sentence(_ groups: [LeakGroup], _ tests: Int) -> String {
    let leaks = groups.filter(\.isLeak)
    let unjudged = testCount(of: groups.filter { !$0.isLeak })
    let known = leaks.filter { !$0.isNew }.count
    let leaking =
      leaks.isEmpty
      ? "none of \(tests) tests leaks"
      : "\(testCount(of: leaks)) of \(tests) tests leak, in \(leaks.count) ways"
        + (known > 0 ? ", \(known) of them known" : "")
    if unjudged == tests { return "LeakCheck: none of \(tests) tests could be judged" }
    return "LeakCheck: " + leaking + (unjudged > 0 ? "; \(unjudged) could not be judged" : "")
  }

  private static func testCount(of groups: [LeakGroup]) -> Int {
    Set(groups.flatMap(\.tests)).count
  }

  private static func names(of tests: [String]) -> String {
    tests.prefix(3).joined(separator: ", ")
      + (tests.count > 3 ? " and \(tests.count - 3) more" : "")
  }

  private struct Document: Codable {
    var schema = "leakcheck.summary/1"
    let library: String
    let tests, leaking, unjudged: Int
    let leaks: [LeakGroup]
    let holders: [LeakHolder]
    let gone: [String]
  }

  private static func json(
    _ groups: [LeakGroup], _ gone: [String], _ tests: Int, _ library: String
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let leaks = groups.filter(\.isLeak)
    let document = Document(
      library: library, tests: tests, leaking: testCount(of: leaks),
      unjudged: testCount(of: groups.filter { !$0.isLeak }), leaks: leaks,
      holders: LeakHolder.all(of: leaks), gone: gone)
    return String(decoding: (try? encoder.encode(document)) ?? Data(), as: UTF8.self) + "\n"
  }

  private static func junit(
    _ groups: [LeakGroup], _ gone: [String], _ tests: Int, _ library: String
  ) -> String {
    let new = groups.filter(\.isNew)
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"LeakCheck \(library)\" tests=\"\(max(1, groups.count + gone.count))\""
        + " failures=\"\(new.count + gone.count)\" skipped=\"\(groups.count - new.count)\">",
    ]
    if groups.isEmpty, gone.isEmpty {
      lines.append("  <testcase classname=\"LeakCheck\" name=\"no leak\"/>")
    }
    for group in groups {
      let element = group.isNew ? "failure" : "skipped"
      lines += [
        "  <testcase classname=\"LeakCheck\" name=\"\(group.title.inXML(isAttribute: true))"
          + "\(group.isLeak ? " \(group.fingerprint)" : "")\">",
        "    <\(element) message=\"\(names(of: group.tests).inXML(isAttribute: true))\">"
          + "\(group.report.inXML(isAttribute: false))</\(element)>",
        "  </testcase>",
      ]
    }
    for sentence in gone {
      let message = sentence.inXML(isAttribute: true)
      lines += [
        "  <testcase classname=\"LeakCheck\" name=\"known and gone\">",
        "    <failure message=\"\(message)\"/>", "  </testcase>",
      ]
    }
    return (lines + ["</testsuite>"]).joined(separator: "\n") + "\n"
  }

  private static func github(_ groups: [LeakGroup], _ gone: [String], _ tests: Int) -> String {
    let lines = groups.map { group in
      let text = "\(group.report)\nin \(group.tests.joined(separator: ", "))".inWorkflow
      let place = group.file.map { "file=\($0.asWorkflowProperty),line=\(group.line ?? 1)," } ?? ""
      let title = "\(place)title=\(group.title.asWorkflowProperty)"
      return "::\(group.isNew ? "error" : "warning") \(title)::\(text)"
    }
    let rest = gone.map { "::error title=known and gone::\($0.inWorkflow)" }
    return (lines + rest + ["::notice::\(sentence(groups, tests))"]).joined(separator: "\n") + "\n"
  }

  // An equal leak is found at another line when somebody has written above it.
  private static func sarif(_ groups: [LeakGroup], _ gone: [String]) -> String {
    let results = groups.map { group in
      SARIFLog.Result(
        rule: group.isLeak ? "leak" : "unjudged", isError: group.isNew,
        message: "\(group.report)\nin \(group.tests.joined(separator: ", "))", file: group.file,
        line: group.line, fingerprint: group.isLeak ? group.fingerprint : group.report)
    }
    let rest = gone.map {
      SARIFLog.Result(
        rule: "gone", isError: true, message: $0, file: nil, line: nil, fingerprint: $0)
    }
    let rules = [
      ("gone", "What is known to leak still leaks."),
      ("leak", "What a test has made is gone when the test has ended."),
      ("unjudged", "Whether a test leaks can be judged."),
    ]
    return SARIFLog(tool: "LeakCheck", rules: rules, results: results + rest).text
  }
}
