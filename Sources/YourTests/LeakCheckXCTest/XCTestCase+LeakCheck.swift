public import LeakCheck
import Testing
public import XCTest

extension XCTestCase {
  /// Runs a body and asserts that nothing of it stays, as `expectNoLeaks` does in Swift Testing.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most for what could still end.
  ///   - patience: how long to wait when nothing that the test has begun is still running; nil for a
  ///     fifth of a second, or what `LEAKCHECK_PATIENCE` says in seconds.
  ///   - survivors: what is meant to stay, each with a reason; printed as warnings.
  ///   - baseline: a file of known leaks, relative to the test's own file; those are warnings.
  ///   - body: what to run.
  /// - Throws: what the body throws; leaks are reported all the same.
  public func assertNoLeaks<Result>(
    within limit: Duration = .seconds(5), patience: Duration? = nil,
    allowing survivors: [KnownSurvivor] = [], baseline: String? = nil,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath,
    line: UInt = #line, _ body: () async throws -> Result
  ) async rethrows {
    let check = LeakChecker(
      within: limit, patience: patience, allowing: survivors, baseline: baseline)
    try await check.run(at: file, line, body)
  }

  /// Makes an object and asserts that it is deinitialised once nobody uses it.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most for what could still release it.
  ///   - patience: as for ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``.
  ///   - makeObject: makes the object.
  /// - Throws: what `makeObject` throws.
  public func assertDeallocated<Object: AnyObject>(
    within limit: Duration = .seconds(5), patience: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, _ makeObject: () async throws -> Object
  ) async rethrows {
    let check = LeakChecker(tasks: .none, within: limit, patience: patience)
    try await check.run(at: file, line, makeObject)
  }

  /// Runs a body and asserts that some leaks are there, and no others, as `expectLeaks` does in
  /// Swift Testing.
  ///
  /// - Parameters:
  ///   - leaks: what must be left, each with who holds it.
  ///   - limit: how long to wait at most for what could still end.
  ///   - patience: how long to wait when nothing that was begun is still running.
  ///   - body: what to run.
  /// - Throws: what the body throws; leaks are judged all the same.
  public func assertLeaks<Result>(
    _ leaks: [ExpectedLeak], within limit: Duration = .seconds(5), patience: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath,
    line: UInt = #line, _ body: () async throws -> Result
  ) async rethrows {
    let check = LeakChecker(within: limit, patience: patience, expecting: leaks)
    try await check.run(at: file, line, body)
  }
}

extension LeakChecker {
  // Reports to XCTest.
  fileprivate func run<Result>(
    isolation: isolated (any Actor)? = #isolation, at file: StaticString, _ line: UInt,
    _ body: () async throws -> Result
  ) async rethrows {
    try await run(
      at: SourceLocation(fileID: "\(file)", filePath: "\(file)", line: Int(line), column: 1),
      report: { report in
        report.keepFiles()
        guard report.isFailure else { return print("\(file):\(line): warning: \(report.text)") }
        XCTFail(report.text, file: file, line: line)
      }, body)
  }
}
