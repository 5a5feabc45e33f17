package import MemlabKit
package import MemlabTerminalText

/// A check in the Test Anything Protocol, version 14, see
/// https://testanything.org/tap-version-14-specification.html.
package struct CheckTAP: CheckFormat {
  private let output: Output

  /// A check that is written to an output.
  package init(output: Output) { self.output = output }

  package func begin(endings: Int) throws {
    try output.write("TAP version 14\n1..\(endings)\n")
  }

  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    let name = Self.escaped("\(result.scenario), ending \(result.ending)")
    let skip = result.status == .skipped ? " # SKIP \(Self.escaped(result.reason ?? ""))" : ""
    let point = "\(result.status.isFailure ? "not ok" : "ok") \(number) - \(name)\(skip)\n"
    try output.write(point + (result.status.isFailure ? Self.diagnostics(of: result) : ""))
  }

  package func end(_ report: CheckReport) throws {
    try output.write("# \(report.sentence)\n")
    guard let error = report.error else { return }
    try output.write("Bail out! \(Self.oneLine(error))\n")
  }

  private static func diagnostics(of result: CheckResult) -> String {
    var lines = ["---", "message: \(quoted(result.complaints.first ?? ""))", "severity: fail"]
    lines.append("at:")
    lines.append("  file: \(quoted(result.file))")
    lines.append("  line: \(result.line)")
    lines += counts("declared", result.declared)
    lines += result.measured.map { counts("measured", $0) } ?? []
    lines.append("differences:")
    lines += result.complaints.map { "  - \(quoted($0))" }
    return (lines + ["..."]).map { "  \($0)\n" }.joined()
  }

  private static func counts(_ title: String, _ counts: CheckCounts) -> [String] {
    let objects = counts.objects.map {
      "  \(quoted($0.type)): \(quoted("\($0.deinitialized) of \($0.created) deinitialised"))"
    }
    let tasks = counts.tasks.map {
      "  \(quoted("task \($0.name)")): \(quoted("\($0.finished) of \($0.started) finished"))"
    }
    let metrics = counts.metrics.sorted { $0.key < $1.key }.map {
      "  \(quoted($0.rawValue)): \($1)"
    }
    let verdict = "  verdict: \(counts.verdict?.rawValue ?? "any")"
    return ["\(title):", verdict] + objects + tasks + metrics
  }

  // A number sign would begin a directive.
  private static func escaped(_ text: String) -> String {
    oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A double-quoted YAML scalar, see https://yaml.org/spec/1.2.2/#731-double-quoted-style.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.isForbiddenInDocuments || scalar.isLineBreak:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

extension Unicode.Scalar {
  /// Whether neither XML 1.0 nor YAML 1.2 may contain the scalar as it is.
  var isForbiddenInDocuments: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// Whether a reader may treat the scalar as the end of a line.
  fileprivate var isLineBreak: Bool {
    [0x0A, 0x0D, 0x85, 0x2028, 0x2029].contains(value)
  }
}
