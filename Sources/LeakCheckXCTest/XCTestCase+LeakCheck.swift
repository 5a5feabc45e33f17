public import LeakCheck
internal import Testing
public import XCTest

extension XCTestCase {
  /// Runs a body and asserts that nothing of it stays, as `expectNoLeaks` does in Swift Testing.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most for what could still end.
  ///   - survivors: what is meant to stay, each with a reason; printed as warnings.
  ///   - baseline: a file of known leaks, relative to the test's own file; those are warnings.
  ///   - body: what to run.
  /// - Throws: what the body throws; leaks are reported all the same.
  public func assertNoLeaks<Result>(
    within limit: Duration = .seconds(5), allowing survivors: [KnownSurvivor] = [],
    baseline: String? = nil, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, _ body: () async throws -> Result
  ) async rethrows {
    let place = SourceLocation(
      fileID: "\(file)", filePath: "\(file)", line: Int(line), column: 1)
    let check = LeakChecker(
      tasks: .ofTheBody, within: limit, allowing: survivors, baseline: baseline, at: place)
    try await check.run(report: { Self.record($0, file, line) }, body)
  }

  /// Makes an object and asserts that it is deinitialised once nobody uses it.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most for code that could still release it.
  ///   - makeObject: makes the object.
  /// - Throws: what `makeObject` throws.
  public func assertDeallocated<Object: AnyObject>(
    within limit: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, _ makeObject: () async throws -> Object
  ) async rethrows {
    let place = SourceLocation(
      fileID: "\(file)", filePath: "\(file)", line: Int(line), column: 1)
    let check = LeakChecker(
      tasks: .none, within: limit, allowing: [], baseline: nil, at: place)
    try await check.run(report: { Self.record($0, file, line) }, makeObject)
  }

  private static func record(_ report: LeakReport, _ file: StaticString, _ line: UInt) {
    if report.isFailure {
      XCTFail(report.text, file: file, line: line)
    } else {
      print("\(file):\(line): warning: \(report.text)")
    }
  }
}
