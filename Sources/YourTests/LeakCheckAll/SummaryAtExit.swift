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
      if isXCTest { return }
      let reached = Int(leak_check_all_tests_reached())
      let remark = remark(hasTests: leak_check_all_has_tests(), reached: reached)
      if let remark { LeakSummary.print(remark) }
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

/// Has Swift Testing begin a test only when the one before has ended, as `--no-parallel` does.
///
/// A test that has begun and waits for its turn has tasks, and each look at the heap reads them all: of
/// a suite of hundreds of tests, that would be most of what it reads.
enum OneAfterAnother {
  private static let option = "--no-parallel"
  // Swift 6 does not compile a call of it.
  private static let setter = "$ss11CommandLineO9argumentsSaySSGvsZ"

  /// Asks for it, once, before Swift Testing reads the arguments. Where they cannot be set, its tests
  /// begin all at once, and wait.
  static let isAskedFor: Void = {
    guard SummaryAtExit.isSwiftTesting, !CommandLine.arguments.contains(option),
      let function = dlsym(nil, setter)
    else { return }
    let arguments = unsafeBitCast(CommandLine.arguments + [option], to: AnyObject.self)
    let set = unsafeBitCast(function, to: (@convention(c) (UnsafeRawPointer) -> Void).self)
    set(UnsafeRawPointer(Unmanaged.passRetained(arguments).toOpaque()))
  }()
}
