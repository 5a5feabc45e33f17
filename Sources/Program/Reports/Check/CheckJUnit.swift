package import MemlabKit
package import MemlabTerminalText

/// A check as the XML that build servers read: a suite for each scenario, a case for each ending.
///
/// Has what the schema of Jenkins' xUnit plugin has (junit-10.xsd of
/// https://github.com/jenkinsci/xunit-plugin), and two attributes besides, which a server that validates
/// by it refuses: how many are skipped at the root, and the file of each case, which GitLab shows. Times are
/// real time in seconds. Endings that the command line does not ask for are counted at the root and not
/// listed.
package struct CheckJUnit: CheckFormat {
  private let output: Output
  private let program: String

  /// A check that is written to an output.
  ///
  /// - Parameters:
  ///   - output: where it goes.
  ///   - program: the name of the program.
  package init(output: Output, program: String) { (self.output, self.program) = (output, program) }

  package func end(_ report: CheckReport) throws {
    var suites = suites(of: report)
    if let error = report.error, report.summary.untrusted == 0 {
      let stop = [Self.error("the check has stopped", error)]
      let attributes = [("classname", program), ("name", "check")]
      suites.append(Self.suite(program, [JUnitElement("testcase", attributes, children: stop)]))
    }
    let unlisted = report.results.count(where: \.isUnselected)
    let counts = Self.counts(of: suites.flatMap(\.children), unlisted: unlisted)
    let attributes = [("name", "\(program) check")] + counts + Self.time(of: report.results)
    try output.write(JUnitElement("testsuites", attributes, children: suites).document)
  }

  private func suites(of report: CheckReport) -> [JUnitElement] {
    report.results.filter { !$0.isUnselected }.grouped(by: \.scenario).map { results in
      Self.suite(results[0].scenario, results.map(testCase), Self.time(of: results))
    }
  }

  private static func suite(
    _ name: String, _ cases: [JUnitElement], _ time: JUnitElement.Attributes = []
  ) -> JUnitElement {
    JUnitElement("testsuite", [("name", name)] + counts(of: cases) + time, children: cases)
  }

  /// The attribute for how long these took together; none when nothing was run.
  private static func time(of results: [CheckResult]) -> JUnitElement.Attributes {
    let durations = results.compactMap(\.duration)
    guard !durations.isEmpty else { return [] }
    return [("time", JUnitElement.seconds(durations.reduce(.zero, +)))]
  }

  private static func counts(of cases: [JUnitElement], unlisted: Int = 0) -> JUnitElement.Attributes
  {
    func count(_ outcome: String) -> Int { cases.count { $0.children.first?.name == outcome } }
    return [
      ("tests", "\(cases.count + unlisted)"), ("failures", "\(count("failure"))"),
      ("errors", "\(count("error"))"), ("skipped", "\(count("skipped") + unlisted)"),
    ]
  }

  private func testCase(_ result: CheckResult) -> JUnitElement {
    let attributes: JUnitElement.Attributes = [
      ("classname", "\(program).\(result.family).\(result.scenario)"),
      ("name", "ending \(result.ending)"), ("file", result.file),
    ]
    return JUnitElement(
      "testcase", attributes + Self.time(of: [result]), children: Self.outcome(of: result))
  }

  private static func outcome(of result: CheckResult) -> [JUnitElement] {
    let complaints = result.complaints
    let reason = result.reason ?? complaints.first ?? ""
    switch result.status {
    case .asDeclared: return []
    case .skipped: return [JUnitElement("skipped", [("message", reason)])]
    case .untrusted: return [error("not measured", reason)]
    case .differing:
      let attributes = [("type", "measured otherwise"), ("message", complaints.first ?? "")]
      let text = (["\(result.file):\(result.line)"] + complaints).joined(separator: "\n")
      return [JUnitElement("failure", attributes, text: text)]
    }
  }

  private static func error(_ type: String, _ sentence: String) -> JUnitElement {
    JUnitElement("error", [("type", type), ("message", sentence)])
  }
}
