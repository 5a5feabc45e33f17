import Testing

/// Runs a body and expects that some leaks are there, and no others.
///
///     await expectLeaks([.task("poll()"), .object(of: Model.self, heldBy: "poll()")]) {
///       watch(Model()).startPolling()
///     }
///
/// For a defect that is known and not fixed yet, or a leak that is meant to be seen: the day it is
/// gone, or moves, the test fails.
///
/// - Parameters:
///   - leaks: what must be left, each with who holds it.
///   - limit: how long to wait at most for what could still end.
///   - patience: as for ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``.
///   - body: what to run. It must not use an object that the test itself keeps.
/// - Throws: what the body throws; leaks are judged all the same.
public func expectLeaks<Result>(
  _ leaks: [ExpectedLeak], within limit: Duration = .seconds(5), patience: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: () async throws -> Result
) async rethrows {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let check = LeakChecker(
    tasks: .ofTheBody, patience: Patience(limit: limit, whenIdle: patience), expecting: leaks,
    at: place)
  try await check.run(report: { TestIssue.record($0, at: place) }, body)
}
