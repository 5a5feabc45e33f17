import Foundation
import LeakCheck
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
        report: { print("\(name): \($0.isFailure ? "error" : "warning"): \($0.text)") }
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

  func wait() async { while !signal.isRaised { await signal.wait(atMost: .seconds(3600)) } }

  // The main actor's tasks go on meanwhile.
  func runLoopUntilRaised() {
    while !signal.isRaised { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
}
