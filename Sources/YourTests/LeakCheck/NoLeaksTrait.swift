public import Testing

/// Expects of a test, or of each test of a suite, that nothing of it stays.
///
///     @Test(.noLeaks) func closing() async { … }
///
/// See ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``;
/// the test's function is the body.
public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
  /// The check that each test runs in.
  let check: LeakChecker
  /// The check that cancels each test; nil where none is cancelled.
  var cancelling: CancellingCheck?

  /// True: a suite passes the trait on to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test in a check of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if let cancelling { return try await cancelling.run(at: test.sourceLocation, function) }
    try await check.run(at: test.sourceLocation, function)
  }
}

extension Trait where Self == NoLeaksTrait {
  /// Expects that every task that the test creates ends, and that every object that it hands to
  /// ``watch(_:fileID:filePath:line:column:)`` is deinitialised.
  public static var noLeaks: Self { .noLeaks() }

  /// The same, with what is meant to stay.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most for what could still end.
  ///   - patience: how long to wait when nothing that the test has begun is still running; nil for a
  ///     fifth of a second, or what `LEAKCHECK_PATIENCE` says in seconds.
  ///   - survivors: what is meant to stay, each with a reason; reported as warnings.
  ///   - baseline: a file of known leaks, relative to the test's own file; those are warnings.
  public static func noLeaks(
    within limit: Duration = .seconds(5), patience: Duration? = nil,
    allowing survivors: [KnownSurvivor] = [], baseline: String? = nil
  ) -> Self {
    NoLeaksTrait(
      check: LeakChecker(
        within: limit, patience: patience, allowing: survivors, baseline: baseline))
  }

  /// Expects of a test that some leaks are there, and no others.
  ///
  /// - Parameters:
  ///   - leaks: what must be left, each with who holds it.
  ///   - limit: how long to wait at most for what could still end.
  ///   - patience: how long to wait when nothing that the test has begun is still running.
  public static func leaks(
    _ leaks: ExpectedLeak..., within limit: Duration = .seconds(5), patience: Duration? = nil
  ) -> Self {
    NoLeaksTrait(check: LeakChecker(within: limit, patience: patience, expecting: leaks))
  }
}
