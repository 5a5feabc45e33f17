/// The rules of the xUnit plugin's junit-10.xsd, and what a report of a check has besides: `skipped` at the
/// root and `file` of a case.
enum JUnitSchema {
  private struct Rule {
    let required: Set<String>
    let optional: Set<String>
    let children: Set<String>
  }

  private static let counts: Set = ["tests", "failures", "errors", "skipped"]

  private static let rules = [
    "testsuites": Rule(
      required: [], optional: counts.union(["name", "time"]), children: ["testsuite"]),
    "testsuite": Rule(
      required: ["name", "tests", "failures", "errors"],
      optional: ["skipped", "group", "time", "timestamp", "hostname", "id", "package", "file"],
      children: ["testsuite", "properties", "testcase", "system-out", "system-err"]),
    "testcase": Rule(
      required: ["name"], optional: ["time", "classname", "group", "file"],
      children: ["skipped", "error", "failure", "system-out", "system-err"]),
    "skipped": Rule(required: [], optional: ["message", "type"], children: []),
    "error": Rule(required: [], optional: ["message", "type"], children: []),
    "failure": Rule(required: [], optional: ["message", "type"], children: []),
  ]

  /// Each rule that a document breaks, as a sentence.
  ///
  /// - Parameter unlisted: how many skipped cases the root counts that are not listed.
  static func problems(of root: XMLOutline.Element, unlisted: Int = 0) -> [String] {
    (root.name == "testsuites" ? [] : ["the root is <\(root.name)>"]) + structure(of: root)
      + times(in: root) + counts(in: root, unlisted: unlisted)
      + root.children.flatMap { counts(in: $0, unlisted: 0) }
  }

  private static func structure(of element: XMLOutline.Element) -> [String] {
    guard let rule = rules[element.name] else { return ["<\(element.name)> is unknown"] }
    let names = Set(element.attributes.keys)
    let missing = rule.required.subtracting(names)
    let unknown = names.subtracting(rule.required).subtracting(rule.optional)
    let strangers = Set(element.children.map(\.name)).subtracting(rule.children)
    return missing.map { "<\(element.name)> lacks \($0)" }
      + unknown.map { "<\(element.name)> has \($0)" }
      + strangers.map { "<\($0)> in <\(element.name)>" } + element.children.flatMap(structure(of:))
  }

  private static func times(in element: XMLOutline.Element) -> [String] {
    let isSound = element.attributes["time"].map { $0.wholeMatch(of: /\d+\.\d{3}/) != nil } ?? true
    return (isSound ? [] : ["<\(element.name)> has no valid time"])
      + element.children.flatMap(times(in:))
  }

  private static func counts(in element: XMLOutline.Element, unlisted: Int) -> [String] {
    let cases =
      element.name == "testsuites" ? element.children.flatMap(\.children) : element.children
    let outcomes = cases.flatMap(\.children).map(\.name)
    let actual = [
      "tests": cases.count + unlisted, "failures": outcomes.count { $0 == "failure" },
      "errors": outcomes.count { $0 == "error" },
      "skipped": outcomes.count { $0 == "skipped" } + unlisted,
    ]
    return actual.compactMap { name, count in
      element.attributes[name] == "\(count)"
        ? nil : "<\(element.name)> says \(name)=\(element.attributes[name] ?? "nil"), not \(count)"
    }
  }
}
