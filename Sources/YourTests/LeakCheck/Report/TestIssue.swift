import Testing

/// Where reports go: into the test that runs.
enum TestIssue {
  /// Records a report in the current test of Swift Testing.
  ///
  /// Where there is none, nobody might ever see it, so the process ends: an XCTestCase calls the
  /// methods of LeakCheckXCTest instead.
  static func record(_ report: LeakReport, at location: SourceLocation) {
    if Test.current == nil, !CommandLine.arguments.contains("swift-testing") {
      guard report.isFailure else { return print("warning: \(report.text)") }
      fatalError(
        "\(report.text)\n(outside of a test of Swift Testing; in an XCTestCase, import "
          + "LeakCheckXCTest and call assertNoLeaks)")
    }
    let text = Comment(rawValue: report.text)
    // Swift 6.2 knows no warnings: there they are printed.
    #if compiler(>=6.3)
      let severity = report.isFailure ? Issue.Severity.error : .warning
      Issue.record(text, severity: severity, sourceLocation: location)
    #else
      guard report.isFailure else { return print("warning: \(report.text)") }
      Issue.record(text, sourceLocation: location)
    #endif
  }
}
