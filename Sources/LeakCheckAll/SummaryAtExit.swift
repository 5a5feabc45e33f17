internal import MemlabPlatform
internal import LeakCheck

/// Has the summary written when the process ends.
enum SummaryAtExit {
  /// Sees to it, once.
  static let isPlanned: Void = {
    atexit {
      if LeakSummary.shared.testCount > 0 {
        let isXCTest = !CommandLine.arguments.contains("swift-testing")
        LeakSummary.shared.write(of: isXCTest ? "xctest" : "swift-testing")
        // XCTest's own tests have ended when they are judged.
        if isXCTest, LeakSummary.shared.hasFailures { _exit(1) }
      }
    }
  }()
}
