package import MemlabKit
package import MemlabTerminalText

/// Writes what `memlab check` finds, in one format; it runs nothing.
///
/// A format that can be written line by line is, so that what was found before a scenario trapped
/// is not lost; one that begins with its totals is written at the end.
package protocol CheckFormat: Sendable {
  /// The check is about to begin.
  ///
  /// - Parameter endings: how many endings there are, those that will be skipped included.
  func begin(endings: Int) throws

  /// An ending is over, or will not be run.
  ///
  /// - Parameters:
  ///   - trial: what was measured; nil when nothing was.
  ///   - number: the ending's place in the check, from 1.
  func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws

  /// All is over, or the check has stopped; the document must be closed.
  func end(_ report: CheckReport) throws
}

extension CheckFormat {
  package func begin(endings: Int) {}
  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) {}
}

/// What `memlab check --format` can name.
package enum CheckFormatName: String, CaseIterable {
  /// For people.
  case text
  /// For programs: the schema `memlab.check/1`.
  case json
  /// The XML that most build servers read.
  case junit
  /// The Test Anything Protocol, version 14.
  case tap
  /// GitHub's workflow commands: an annotation for each difference.
  case github
  /// What services for code scanning and editors read.
  case sarif
}

/// A check for programs: `memlab.check/1`.
package struct CheckJSON: CheckFormat {
  private let output: Output

  /// A check that is written to an output.
  package init(output: Output) { self.output = output }

  package func end(_ report: CheckReport) throws {
    try output.write(json: report, schema: CheckReport.schema)
  }
}

/// A check in the Test Anything Protocol, version 14, see
/// https://testanything.org/tap-version-14-specification.html.
package struct CheckTAP: CheckFormat {
  private let output: Output

  /// A check that is written to an output.
  package init(output: Output) { self.output = output }

  package func begin(endings: Int) throws { try output.write("TAP version 14\n1..\(endings)\n") }

  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    let name = Self.escaped("\(result.scenario), ending \(result.ending)")
    let skip = result.status == .skipped ? " # SKIP \(Self.escaped(result.reason ?? ""))" : ""
    let point = "\(result.status.isFailure ? "not ok" : "ok") \(number) - \(name)\(skip)\n"
    try output.write(point + (result.status.isFailure ? Self.diagnostics(of: result) : ""))
  }

  package func end(_ report: CheckReport) throws {
    try output.write("# \(report.sentence)\n")
    if let error = report.error { try output.write("Bail out! \(Self.oneLine(error))\n") }
  }

  private static func diagnostics(of result: CheckResult) -> String {
    let start = [
      "---", "message: \(quoted(result.complaints.first ?? ""))", "severity: fail", "at:",
      "  file: \(quoted(result.file))", "  line: \(result.line)",
    ]
    let counts =
      counts("declared", result.declared)
      + (result.measured.map { self.counts("measured", $0) } ?? [])
    let differences = ["differences:"] + result.complaints.map { "  - \(quoted($0))" } + ["..."]
    return (start + counts + differences).map { "  \($0)\n" }.joined()
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
    oneLine(text).replacing(scalars: ["\\": "\\\\", "#": "\\#"])
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A double-quoted YAML scalar, see https://yaml.org/spec/1.2.2/#731-double-quoted-style.
  private static func quoted(_ text: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t"]
    let escaped = text.replacing(scalars: escapes)
    return "\"\(escaped.shown { "\\U" + hexadecimal($0.value, digits: 8) })\""
  }
}

/// A check as GitHub's workflow commands: an annotation for each difference, at the scenario that
/// declares otherwise; see
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
package struct CheckGitHub: CheckFormat {
  private let output: Output
  private let program: String

  /// A check that is written to an output.
  ///
  /// - Parameters:
  ///   - output: where it goes.
  ///   - program: the name of the program.
  package init(output: Output, program: String) { (self.output, self.program) = (output, program) }

  package func add(_ result: CheckResult, _ trial: TrialReport?, number: Int) throws {
    for complaint in result.complaints {
      let place = "file=\(result.file.asWorkflowProperty),line=\(result.line)"
      let title = "\(result.scenario), ending \(result.ending)".asWorkflowProperty
      try output.write(control: "::error \(place),title=\(title)::\(complaint.inWorkflow)\n")
    }
  }

  package func end(_ report: CheckReport) throws {
    let title = "title=\(program.asWorkflowProperty) check"
    if let error = report.error {
      let sentence = "The check has stopped: \(error)"
      try output.write(control: "::error \(title)::\(sentence.inWorkflow)\n")
    }
    try output.write(control: "::notice \(title)::\(report.sentence.inWorkflow)\n")
  }
}

/// A check as SARIF 2.1.0: a result for each difference, at the scenario that declares otherwise.
package struct CheckSARIF: CheckFormat {
  private let output: Output
  private let program: String

  /// A check that is written to an output.
  ///
  /// - Parameters:
  ///   - output: where it goes.
  ///   - program: the name of the program.
  package init(output: Output, program: String) { (self.output, self.program) = (output, program) }

  package func end(_ report: CheckReport) throws {
    let results = report.results.flatMap { result in
      result.complaints.map { complaint in
        SARIFLog.Result(
          rule: result.status == .untrusted ? "untrusted" : "differing", isError: true,
          message: "\(result.scenario), ending \(result.ending): \(complaint)", file: result.file,
          line: result.line, fingerprint: "\(result.scenario)/\(result.ending): \(complaint)")
      }
    }
    let log = SARIFLog(
      tool: "\(program) check",
      rules: [
        ("differing", "An ending measures what it declares."),
        ("untrusted", "An ending can be measured."),
      ], results: results, error: report.error)
    try output.write(log.text)
  }
}
