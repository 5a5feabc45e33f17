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

  /// The log as a document, the same bytes for the same findings; the names are those of the standard.
  package var text: String {
    let rules = rules.map { rule -> JSONObject in
      ["id": rule.id, "shortDescription": ["text": rule.text]]
    }
    let problems = [error].compactMap(\.self).map { problem -> JSONObject in
      ["level": "error", "message": ["text": problem]]
    }
    let invocation: JSONObject = [
      "executionSuccessful": error == nil, "toolExecutionNotifications": problems,
    ]
    let run: JSONObject = [
      "tool": ["driver": ["name": tool, "rules": rules] as JSONObject],
      "results": results.map(Self.finding), "invocations": [invocation],
    ]
    let log: JSONObject = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    let bytes = (try? JSONEncoder.stable.encode(log)) ?? Data()
    return String(decoding: bytes, as: UTF8.self).shownInJSON + "\n"
  }

  private static func finding(_ result: Result) -> JSONObject {
    // A line has a number from 1, and code that the compiler has made has no file.
    let line = result.line.flatMap { $0 > 0 ? $0 : nil }
    let place = result.file.flatMap { $0.isEmpty ? nil : $0 }.map { file -> JSONObject in
      ["artifactLocation": address(of: file), "region": line.map { ["startLine": $0] }]
    }
    return [
      "ruleId": result.rule, "level": result.isError ? "error" : "note",
      "message": ["text": result.message.shown(keeping: "\n")],
      "locations": place.map { [["physicalLocation": $0]] },
      "partialFingerprints": ["memlab/v1": result.fingerprint.shown()],
    ]
  }

  private static func address(of file: String) -> [String: String] {
    let path = path(fromHere: file).utf8.map { byte in
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
