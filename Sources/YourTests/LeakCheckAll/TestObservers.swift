import CMemlabTraits
import Foundation
import LeakCheck
import MemlabPlatform
import Synchronization
import Testing
import XCTest

/// Adds a trait to those of a test; called from C, for each test of Swift Testing.
///
/// - Parameter traits: an array of traits, which is not consumed.
/// - Returns: an array that lives as long as the process.
@_cdecl("leak_check_all_traits")
public func addTrait(_ traits: UnsafeRawPointer) -> UnsafeRawPointer {
  SummaryAtExit.isPlanned
  let old = unsafeBitCast(traits, to: [any TestTrait].self)
  guard !old.contains(where: { $0 is NoLeaksTrait }) else { return traits }
  let new = unsafeBitCast(old + [AllTestsTrait()], to: AnyObject.self)
  return UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque())
}

/// Begins to observe XCTest; called from C, before the first test of either library runs.
@_cdecl("leak_check_all_observe")
public func observe() {
  SummaryAtExit.isPlanned
  OneAfterAnother.isAskedFor
  XCTestObservationCenter.shared.addTestObserver(CaseObserver())
}

/// Judges every test of XCTest.
///
/// A test case has ended when its observers hear of that, so its leaks are printed, and fail the run
/// in the end.
private final class CaseObserver: NSObject, XCTestObservation, Sendable {
  private let end = Mutex<(@Sendable () -> Void)?>(nil)

  func testCaseWillStart(_ testCase: XCTestCase) {
    let (began, ended, judged) = (Flag(), Flag(), Flag())
    let name = testCase.name
    let place = SourceLocation(fileID: "XCTest/\(name)", filePath: name, line: 1, column: 1)
    Task.detached(name: "LeakCheck \(name)") {
      await AllTestsTrait.check(
        name, at: place,
        report: {
          $0.keepFiles()
          print("\(name.shown()): \($0.isFailure ? "error" : "warning"): \($0.text)")
        }
      ) {
        began.raise()
        await ended.wait()
      }
      judged.raise()
    }
    began.runLoopUntilRaised()
    end.withLock {
      $0 = {
        ended.raise()
        judged.runLoopUntilRaised()
      }
    }
  }

  func testCaseDidFinish(_ testCase: XCTestCase) { end.withLock { $0.take() }?() }
}

/// Something that happens once.
private final class Flag: Sendable {
  private let signal = Signal()

  // What is called on the main queue ends a turn of the run loop, which waits for nothing else.
  func raise() {
    signal.raise()
    DispatchQueue.main.async {}
  }

  // Without a limit: the runtime keeps a timer until it would have fired, also when nobody waits any more.
  func wait() async { await signal.wait() }

  // The main actor's tasks go on meanwhile.
  func runLoopUntilRaised() {
    while !signal.isRaised { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
}

/// Has the summary written when the process ends.
package enum SummaryAtExit {
  /// Whether this process runs the tests of Swift Testing, and not those of XCTest.
  static var isSwiftTesting: Bool { LeakSummary.library == "swift-testing" }

  /// Sees to it, once.
  static let isPlanned: Void = {
    atexit {
      let isXCTest = !isSwiftTesting
      if LeakSummary.shared.testCount > 0 {
        let gone = LeakSummary.shared.gone
        LeakSummary.shared.write(gone: gone)
        // XCTest's own tests have ended when they are judged.
        if isXCTest && LeakSummary.shared.hasFailures || !gone.isEmpty { _exit(1) }
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
