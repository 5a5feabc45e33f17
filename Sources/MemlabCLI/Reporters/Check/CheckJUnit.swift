import MemlabKit

/// A check as the XML that build servers read: a suite for each scenario, a case for each ending.
///
/// Keeps to the schema of Jenkins' xUnit plugin, which other servers accept as well, see
/// https://github.com/jenkinsci/xunit-plugin (junit-10.xsd). There are no times in it: a run on the
/// virtual clock takes none, and equal measurements are to be equal bytes.
struct CheckJUnit: CheckFormat {
  let output: Output

  func end(_ report: CheckReport) throws {
    var suites = Self.suites(of: report)
    if let error = report.error, report.summary.untrusted == 0 {
      suites.append(Self.suite("memlab", [Self.stopped(by: error)]))
    }
    let cases = suites.flatMap(\.children)
    let root = XMLElement(
      name: "testsuites", attributes: [("name", "memlab check")] + Self.counts(of: cases),
      children: suites)
    let lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + root.lines
    try output.write(lines.joined(separator: "\n") + "\n")
  }

  private static func suites(of report: CheckReport) -> [XMLElement] {
    let ids = report.results.map(\.scenario).reduce(into: [String]()) { ids, id in
      if ids.last != id { ids.append(id) }
    }
    return ids.map { id in
      suite(id, report.results.filter { $0.scenario == id }.map(testCase))
    }
  }

  private static func suite(_ name: String, _ cases: [XMLElement]) -> XMLElement {
    XMLElement(
      name: "testsuite", attributes: [("name", name)] + counts(of: cases), children: cases)
  }

  private static func counts(of cases: [XMLElement]) -> [(name: String, value: String)] {
    func count(_ outcome: String) -> String {
      "\(cases.count { $0.children.first?.name == outcome })"
    }
    return [
      ("tests", "\(cases.count)"), ("failures", count("failure")), ("errors", count("error")),
      ("skipped", count("skipped")),
    ]
  }

  private static func testCase(_ result: CheckResult) -> XMLElement {
    let attributes = [
      (name: "classname", value: "memlab.\(result.family).\(result.scenario)"),
      (name: "name", value: "ending \(result.ending)"), (name: "file", value: result.file),
    ]
    return XMLElement(
      name: "testcase", attributes: attributes, children: outcome(of: result).map { [$0] } ?? [])
  }

  private static func outcome(of result: CheckResult) -> XMLElement? {
    let complaints = result.complaints
    let reason = result.reason ?? complaints.first ?? ""
    switch result.status {
    case .asDeclared: return nil
    case .skipped: return XMLElement(name: "skipped", attributes: [("message", reason)])
    case .untrusted: return error("memlab cannot be trusted here", reason)
    case .differing:
      let message = complaints.first ?? ""
      return XMLElement(
        name: "failure", attributes: [("type", "measured otherwise"), ("message", message)],
        text: (["\(result.file):\(result.line)"] + complaints).joined(separator: "\n"))
    }
  }

  private static func stopped(by sentence: String) -> XMLElement {
    XMLElement(
      name: "testcase", attributes: [("classname", "memlab"), ("name", "check")],
      children: [error("the check has stopped", sentence)])
  }

  private static func error(_ type: String, _ sentence: String) -> XMLElement {
    XMLElement(name: "error", attributes: [("type", type), ("message", sentence)])
  }
}
