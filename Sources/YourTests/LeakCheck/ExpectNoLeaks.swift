import Testing

/// Runs a body and expects that nothing of it stays: every task that was created in it, however
/// deep, ends, and every object that it returns or hands to ``watch(_:fileID:filePath:line:column:)``
/// is deinitialised.
///
///     @Test func closing() async {
///       await expectNoLeaks {
///         let model = watch(Model())
///         await model.load()
///         model.close()
///       }
///     }
///
/// Waits until that is so, or until nothing can make it so any more. A task or an object that is
/// left fails the test, with who holds it.
///
/// - Parameters:
///   - limit: how long to wait at most for what could still end; on a busy machine, twice as long.
///   - patience: how long to wait when nothing that the body has begun is still running, and only a
///     global variable, for instance, keeps what is left; nil for a fifth of a second, or what
///     `LEAKCHECK_PATIENCE` says in seconds.
///   - survivors: what is meant to stay, each with a reason; reported as warnings.
///   - baseline: a file of known leaks, relative to the test's own file; those are warnings. The
///     default is the file that `LEAKCHECK_BASELINE` names.
///   - wholeProcess: whether to judge all tasks created meanwhile, detached ones included. For tests
///     that run alone: those of other tests would be blamed on this one.
///   - body: what to run. It must not use an object that the test itself keeps.
/// - Throws: what the body throws; leaks are reported all the same.
public func expectNoLeaks<Result>(
  within limit: Duration = .seconds(5), patience: Duration? = nil,
  allowing survivors: [KnownSurvivor] = [], baseline: String? = nil, wholeProcess: Bool = false,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: () async throws -> Result
) async rethrows {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let check = LeakChecker(
    tasks: wholeProcess ? .all : .ofTheBody, within: limit, patience: patience,
    allowing: survivors, baseline: baseline)
  try await check.run(at: place, body)
}

/// Makes an object and expects that it is deinitialised once nobody uses it.
///
///     await expectDeallocated { ViewModel(service: .live) }
///
/// Tasks are not judged, only whether they hold the object.
///
/// - Parameters:
///   - limit: how long to wait at most for what could still release it.
///   - patience: as for ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``.
///   - baseline: as for ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``.
///   - makeObject: makes the object; what it returns is not used for anything.
/// - Throws: what `makeObject` throws.
public func expectDeallocated<Object: AnyObject>(
  within limit: Duration = .seconds(5), patience: Duration? = nil, baseline: String? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ makeObject: () async throws -> Object
) async rethrows {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let check = LeakChecker(tasks: .none, within: limit, patience: patience, baseline: baseline)
  try await check.run(at: place, makeObject)
}

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
  try await LeakChecker(within: limit, patience: patience, expecting: leaks).run(at: place, body)
}

/// Hands over an object that must be gone when the body of the check around it has ended.
///
/// - Parameter object: the object; it is not kept.
/// - Returns: the same object.
@discardableResult
public func watch<Object: AnyObject>(
  _ object: Object, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) -> Object {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  if let token = ScopeToken.current {
    token.scope.watch(object, at: place)
  } else {
    LeakReport(
      "watch(_:) was called outside of a check. Call it in the body of expectNoLeaks, "
        + "in a test with .noLeaks, or in a task that one of them has created. What a queue, "
        + "a thread or an event loop calls belongs to none: hand the object over before."
    ).recordInTest(at: place)
  }
  return object
}
