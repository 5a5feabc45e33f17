/// Findings as services for code scanning and editors read them: SARIF 2.1.0, see
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
package struct SARIFLog {
  /// One thing that was found.
  package struct Result {
    /// The rule that it breaks, one of ``SARIFLog/rules``.
    package let rule: String
    /// Whether it is an error, or only to be known.
    package let isError: Bool
    /// What was found, for a reader.
    package let message: String
    /// The file: a path from the folder in which the program runs, or from the root of the system.
    package let file: String?
    /// The line, from 1; nil where it is not known.
    package let line: Int?
    /// What equal findings of two runs have in common: no line is part of it.
    package let fingerprint: String

    /// A finding.
    package init(
      rule: String, isError: Bool, message: String, file: String?, line: Int?, fingerprint: String
    ) {
      (self.rule, self.isError, self.message) = (rule, isError, message)
      (self.file, self.line, self.fingerprint) = (file, line, fingerprint)
    }
  }

  /// The name of the program that has looked.
  let tool: String
  /// The rules, each with what it says in a sentence.
  let rules: [(id: String, text: String)]
  /// What was found.
  let results: [Result]
  /// Why the program has stopped early; nil where it has not.
  let error: String?

  /// A log of a run.
  package init(
    tool: String, rules: [(id: String, text: String)], results: [Result], error: String? = nil
  ) { (self.tool, self.rules, self.results, self.error) = (tool, rules, results, error) }

  /// A file's path from the folder in which the program runs, where it lies below that: so it is found
  /// again wherever the folder lies.
  package static func path(fromHere file: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
  }

  /// The log as a document, the same bytes for the same findings.
  package var text: String {
    let bytes = (try? JSONEncoder.stable.encode(Document(self))) ?? Data()
    return String(decoding: bytes, as: UTF8.self).shownInJSON + "\n"
  }
}

// The names are those of the standard.
private struct Document: Encodable {
  struct Rule: Encodable {
    let id: String
    let shortDescription: [String: String]
  }

  struct Driver: Encodable {
    let name: String
    let rules: [Rule]
  }

  struct Place: Encodable {
    let artifactLocation: [String: String]
    let region: [String: Int]?
  }

  struct Finding: Encodable {
    let ruleId, level: String
    let message: [String: String]
    let locations: [[String: Place]]?
    let partialFingerprints: [String: String]
  }

  struct Notification: Encodable {
    var level = "error"
    let message: [String: String]
  }

  struct Invocation: Encodable {
    let executionSuccessful: Bool
    let toolExecutionNotifications: [Notification]
  }

  struct Run: Encodable {
    let tool: [String: Driver]
    let results: [Finding]
    let invocations: [Invocation]
  }

  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  init(_ log: SARIFLog) {
    let rules = log.rules.map { Rule(id: $0.id, shortDescription: ["text": $0.text]) }
    runs = [
      Run(
        tool: ["driver": Driver(name: log.tool, rules: rules)],
        results: log.results.map(Self.finding),
        invocations: [
          Invocation(
            executionSuccessful: log.error == nil,
            toolExecutionNotifications: log.error.map { [.init(message: ["text": $0])] } ?? [])
        ])
    ]
  }

  private static func finding(_ result: SARIFLog.Result) -> Finding {
    // A line has a number from 1, and code that the compiler has made has no file.
    let line = result.line.flatMap { $0 > 0 ? $0 : nil }
    let place = result.file.flatMap { $0.isEmpty ? nil : $0 }.map { file in
      Place(artifactLocation: address(of: file), region: line.map { ["startLine": $0] })
    }
    return Finding(
      ruleId: result.rule, level: result.isError ? "error" : "note",
      message: ["text": result.message.shown(keeping: "\n")],
      locations: place.map { [["physicalLocation": $0]] },
      partialFingerprints: ["memlab/v1": result.fingerprint.shown()])
  }

  private static func address(of file: String) -> [String: String] {
    let path = SARIFLog.path(fromHere: file).utf8.map { byte in
      let isPlain = byte < 0x80 && Character(Unicode.Scalar(byte)).isPlainInAddress
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + hexadecimal(byte, digits: 2)
    }.joined()
    return path.hasPrefix("/")
      ? ["uri": "file://" + path] : ["uri": path, "uriBaseId": "%SRCROOT%"]
  }
}

extension Character {
  // RFC 3986, with the slash that parts folders.
  fileprivate var isPlainInAddress: Bool { isLetter || isNumber || "-._~/".contains(self) }
}
