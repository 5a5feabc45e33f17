import CMemlabTraits
import LeakCheck
import MemlabPlatform

/// Has the summary written when the process ends.
package enum SummaryAtExit {
  /// Whether this process runs the tests of Swift Testing, and not those of XCTest.
  static var isSwiftTesting: Bool { CommandLine.arguments.contains("swift-testing") }

  /// Sees to it, once.
  static let isPlanned: Void = {
    atexit {
      let isXCTest = !isSwiftTesting
      if LeakSummary.shared.testCount > 0 {
        LeakSummary.shared.write(of: isXCTest ? "xctest" : "swift-testing")
        // XCTest's own tests have ended when they are judged.
        if isXCTest, LeakSummary.shared.hasFailures { _exit(1) }
      }
      if !isXCTest,
        var remark = remark(
          hasTests: leak_check_all_has_tests(), reached: Int(leak_check_all_tests_reached()))
      {
        remark.withUTF8 { _ = CLibrary.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    }
  }()

  /// What is said where no test of Swift Testing could be given the trait that judges it.
  ///
  /// - Parameters:
  ///   - hasTests: whether there are tests.
  ///   - reached: how many of them have the trait.
  /// - Returns: a line; nil where all is well.
  package static func remark(hasTests: Bool, reached: Int) -> String? {
    guard hasTests, reached == 0 else { return nil }
    return """
      LeakCheck: no test of Swift Testing was judged. LEAKCHECK=all knows how tests are declared in \
      Swift 6.2 and 6.3 on Linux, with x86-64 or arm64, and this is another; use .noLeaks instead.

      """
  }
}
