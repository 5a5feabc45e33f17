public import Testing

/// Runs a body once as it is, and then again and again, cancelled elsewhere each time, and expects
/// that no run leaves anything behind.
///
///     @Test func loading() async {
///       await expectNoLeaks(cancelling: .atEachSuspension) {
///         let model = watch(Model())
///         try? await model.load()
///       }
///     }
///
/// A body suspends where it waits. It is cancelled at each place where it does, once, and each run is
/// judged as
/// ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``
/// judges its only one. The failure says where the body was cancelled, and how to see that again. See
/// <doc:CancelledTests> for which tasks are steered.
///
/// Expectations that fail in a run that is cancelled do not count, nor what the body throws then.
///
/// - Parameters:
///   - points: where the body is cancelled.
///   - limit: how long to wait at most for what could still end, the body included; twice the time
///     is added that the body takes when nobody cancels it.
///   - patience: as for ``expectNoLeaks(within:patience:allowing:baseline:wholeProcess:isolation:fileID:filePath:line:column:_:)``.
///   - survivors: what is meant to stay, each with a reason; reported as warnings.
///   - baseline: a file of known leaks, relative to the test's own file; those are warnings.
///   - body: what to run. It must not use an object that the test itself keeps.
/// - Throws: what the body throws when nobody cancels it; leaks are reported all the same.
public func expectNoLeaks<Result, Failure>(
  cancelling points: CancellationPoints, within limit: Duration = .seconds(5),
  patience: Duration? = nil, allowing survivors: [KnownSurvivor] = [], baseline: String? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: @escaping () async throws(Failure) -> Result
) async throws(Failure) {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let check = LeakChecker(
    within: limit, patience: patience, allowing: survivors, baseline: baseline)
  let steered = SteeredBody(at: place, isStopped: false, body)
  let error = await CancellingCheck(points: points, check: check).run(steered, at: place)
  if let error = error as? Failure { throw error }
}

extension Trait where Self == NoLeaksTrait {
  /// Expects of a test, or of each test of a suite, that nothing of it stays, wherever it is
  /// cancelled.
  ///
  ///     @Test(.leakChecked(cancelling: .atEachSuspension)) func loading() async { … }
  ///
  /// The test's function is the body that
  /// ``expectNoLeaks(cancelling:within:patience:allowing:baseline:isolation:fileID:filePath:line:column:_:)``
  /// runs again and again.
  ///
  /// - Parameters:
  ///   - points: where the test is cancelled.
  ///   - limit: how long to wait at most for what could still end, the test's function included.
  ///   - patience: how long to wait when nothing that the test has begun is still running; nil for
  ///     a fifth of a second, or what `LEAKCHECK_PATIENCE` says in seconds.
  ///   - survivors: what is meant to stay, each with a reason; reported as warnings.
  ///   - baseline: a file of known leaks, relative to the test's own file; those are warnings.
  public static func leakChecked(
    cancelling points: CancellationPoints, within limit: Duration = .seconds(5),
    patience: Duration? = nil, allowing survivors: [KnownSurvivor] = [], baseline: String? = nil
  ) -> Self {
    var trait = noLeaks(within: limit, patience: patience, allowing: survivors, baseline: baseline)
    trait.cancelling = CancellingCheck(points: points, check: trait.check)
    return trait
  }
}

extension CancellingCheck {
  /// Runs the function of a test and reports.
  ///
  /// - Throws: what the function throws when nobody cancels it.
  func run(at place: SourceLocation, _ function: @Sendable () async throws -> Void) async throws {
    let error = await withoutActuallyEscaping(function) { function in
      let closure = ClosureContext(function)
      let count = closure.retainCount
      let error = await runBody(of: function, at: place)
      // A body that has not ended keeps the closure, and nothing may. None of its code runs again,
      // for its executor was stopped. So it is as if it did not.
      for _ in count..<max(count, closure.retainCount) { closure.object.release() }
      return error
    }
    if let error { throw error }
  }

  // A function of its own: when its frame is gone, only a body that has not ended keeps the closure.
  private func runBody(
    of function: @escaping @Sendable () async throws -> Void, at place: SourceLocation
  ) async -> (any Error)? {
    await run(SteeredBody(at: place, isStopped: true, function), at: place)
  }
}

/// What a closure keeps: an object, which is counted like any other.
private struct ClosureContext {
  // Alone, a function in a generic type would be another one.
  private struct Stored { let function: @Sendable () async throws -> Void }

  let object: Unmanaged<AnyObject>

  init(_ function: @escaping @Sendable () async throws -> Void) {
    let words = unsafeBitCast(Stored(function: function), to: (UInt, UnsafeRawPointer).self)
    object = Unmanaged.fromOpaque(words.1)
  }

  /// How often it is retained, by the caller of this, too.
  var retainCount: UInt { _getRetainCount(object.takeUnretainedValue()) }
}
