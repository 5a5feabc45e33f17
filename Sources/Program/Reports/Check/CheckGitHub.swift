package import MemlabKit
package import MemlabTerminalText

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
      let place = "file=\(Self.property(result.file)),line=\(result.line)"
      let title = Self.property("\(result.scenario), ending \(result.ending)")
      try output.write("::error \(place),title=\(title)::\(Self.data(complaint))\n")
    }
  }

  package func end(_ report: CheckReport) throws {
    if let error = report.error {
      let sentence = "The check has stopped: \(error)"
      try output.write("::error title=\(program) check::\(Self.data(sentence))\n")
    }
    try output.write("::notice title=\(program) check::\(Self.data(report.sentence))\n")
  }

  // The runner takes these back in the opposite order, the percent sign last.
  private static func data(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
