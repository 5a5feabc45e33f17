package import MemlabKit
package import MemlabTerminalText

/// A check as the XML that build servers read: a suite for each scenario, a case for each ending.
///
/// Keeps to the schema of Jenkins' xUnit plugin, which other servers accept as well, see
/// https://github.com/jenkinsci/xunit-plugin (junit-10.xsd). Times are real time in seconds. Endings
/// that the command line does not ask for are counted at the root and not listed.
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
      suites.append(Self.suite(program, [stopped(by: error)]))
    }
    let cases = suites.flatMap(\.children)
    let unlisted = report.results.count(where: \.isUnselected)
    let root = XMLElement(
      name: "testsuites",
      attributes: [("name", "\(program) check")] + Self.counts(of: cases, unlisted: unlisted)
        + Self.time(of: report.results),
      children: suites)
    let lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + root.lines
    try output.write(lines.joined(separator: "\n") + "\n")
  }

  private func suites(of report: CheckReport) -> [XMLElement] {
    let listed = report.results.filter { !$0.isUnselected }
    let ids = listed.map(\.scenario).reduce(into: [String]()) { ids, id in
      if ids.last != id { ids.append(id) }
    }
    return ids.map { id in
      let results = listed.filter { $0.scenario == id }
      return Self.suite(id, results.map(testCase), Self.time(of: results))
    }
  }

  private static func suite(
    _ name: String, _ cases: [XMLElement], _ time: [(name: String, value: String)] = []
  ) -> XMLElement {
    XMLElement(
      name: "testsuite", attributes: [("name", name)] + counts(of: cases) + time, children: cases)
  }

  /// The attribute for how long these took together; none when nothing was run.
  private static func time(of results: [CheckResult]) -> [(name: String, value: String)] {
    let durations = results.compactMap(\.duration)
    guard !durations.isEmpty else { return [] }
    return [("time", XMLElement.seconds(durations.reduce(.zero, +)))]
  }

  private static func counts(
    of cases: [XMLElement], unlisted: Int = 0
  ) -> [(name: String, value: String)] {
    func count(_ outcome: String) -> Int {
      cases.count { $0.children.first?.name == outcome }
    }
    return [
      ("tests", "\(cases.count + unlisted)"), ("failures", "\(count("failure"))"),
      ("errors", "\(count("error"))"), ("skipped", "\(count("skipped") + unlisted)"),
    ]
  }

  private func testCase(_ result: CheckResult) -> XMLElement {
    let attributes =
      [
        (name: "classname", value: "\(program).\(result.family).\(result.scenario)"),
        (name: "name", value: "ending \(result.ending)"), (name: "file", value: result.file),
      ] + Self.time(of: [result])
    return XMLElement(
      name: "testcase", attributes: attributes,
      children: Self.outcome(of: result).map { [$0] } ?? [])
  }

  private static func outcome(of result: CheckResult) -> XMLElement? {
    let complaints = result.complaints
    let reason = result.reason ?? complaints.first ?? ""
    switch result.status {
    case .asDeclared: return nil
    case .skipped: return XMLElement(name: "skipped", attributes: [("message", reason)])
    case .untrusted: return error("not measured", reason)
    case .differing:
      let message = complaints.first ?? ""
      return XMLElement(
        name: "failure", attributes: [("type", "measured otherwise"), ("message", message)],
        text: (["\(result.file):\(result.line)"] + complaints).joined(separator: "\n"))
    }
  }

  private func stopped(by sentence: String) -> XMLElement {
    XMLElement(
      name: "testcase", attributes: [("classname", program), ("name", "check")],
      children: [Self.error("the check has stopped", sentence)])
  }

  private static func error(_ type: String, _ sentence: String) -> XMLElement {
    XMLElement(name: "error", attributes: [("type", type), ("message", sentence)])
  }
}

/// A piece of an XML document, written by hand: what a report needs is five lines of rules.
package struct XMLElement: Sendable {
  /// The name.
  package let name: String
  /// The attributes, in the order in which they are written.
  package var attributes: [(name: String, value: String)] = []
  /// The elements inside.
  package var children: [XMLElement] = []
  /// The text inside; an element has either text or elements.
  package var text: String?

  /// An element.
  package init(
    name: String, attributes: [(name: String, value: String)] = [], children: [XMLElement] = [],
    text: String? = nil
  ) {
    (self.name, self.attributes) = (name, attributes)
    (self.children, self.text) = (children, text)
  }

  /// The element in lines, each child on lines of its own.
  package var lines: [String] {
    let list = attributes.map { " \($0.name)=\"\(Self.escaped($0.value, isAttribute: true))\"" }
    let start = "<\(name)\(list.joined())"
    if let text { return ["\(start)>\(Self.escaped(text, isAttribute: false))</\(name)>"] }
    guard !children.isEmpty else { return ["\(start)/>"] }
    return ["\(start)>"] + children.flatMap(\.lines).map { "  \($0)" } + ["</\(name)>"]
  }

  /// A duration as an attribute has it: in seconds, with three decimals.
  package static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(milliseconds / 1_000).\(fraction)"
  }

  /// A text that may stand in a document. What XML 1.0 has no way to write, control characters
  /// above all, is shown as `\u{1B}`.
  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"  // "]]>" may not stand in a text
      case "\"" where isAttribute: "&quot;"
      case "\t" where isAttribute, "\n" where isAttribute, "\r": "&#\(scalar.value);"
      case _ where scalar.isForbiddenInDocuments:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: String(scalar)
      }
    }.joined()
  }
}
