import CMemlabStart
import Synchronization
import Testing

/// The body of a check, to be run several times, never twice at once.
struct SteeredBody: @unchecked Sendable {
  /// The name of the task that runs it.
  static let taskName = "the body"

  // Of the code of a test, only the body runs meanwhile: the test waits for it. So what it captures
  // need not be sendable.
  private let body: () async throws -> Void
  /// Whether nothing of it may run after the check, even if it has not ended.
  let isStopped: Bool

  /// A body whose result is watched by the check that it runs in.
  ///
  /// - Parameters:
  ///   - place: where the check stands in a test.
  ///   - isStopped: whether nothing of it may run after the check, even if it has not ended.
  init<Result>(
    at place: SourceLocation, isStopped: Bool, _ body: @escaping () async throws -> Result
  ) {
    self.isStopped = isStopped
    self.body = {
      for object in ReturnedObjects.find(in: try await body()) {
        ScopeToken.current?.scope.watch(object, at: place, as: .returned)
      }
    }
  }

  /// Runs it.
  ///
  /// - Parameter recordsIssues: whether expectations that fail are recorded in the test: a body
  ///   that is cancelled may not come to a result.
  /// - Throws: what it throws.
  fileprivate func run(recordsIssues: Bool) async throws {
    guard !recordsIssues, let test = Test.current else { return try await body() }
    try await IssueHandlingTrait.compactMapIssues { _ in nil }
      .provideScope(for: test, testCase: Test.Case.current) { try await body() }
  }
}

/// One run of a body.
final class SteeredRun: Sendable {
  /// How long to wait.
  struct Limits {
    /// For the moment at which to cancel the body.
    let moment: Duration
    /// For its end then.
    let end: Duration
  }

  /// Runs the body's jobs.
  let executor: SteeringExecutor
  private let body: SteeredBody
  private let lateness = Atomic(false)
  private let thrown = Mutex<(any Error)?>(nil)

  /// A run that has not begun.
  ///
  /// - Parameter moment: when to cancel the body.
  init(of body: SteeredBody, cancelled moment: CancellationMoment) {
    (self.body, executor) = (body, SteeringExecutor(cancelling: moment))
  }

  /// Where the body has suspended, up to where it was cancelled.
  var suspensions: [Suspension] { executor.suspensions }
  /// Whether the body has ended.
  var hasEnded: Bool { executor.hasEnded.isRaised }
  /// Whether it has not come in time to where it was to be cancelled, and was cancelled elsewhere.
  var isLate: Bool { lateness.load(ordering: .acquiring) }
  /// What the body has thrown.
  var error: (any Error)? { thrown.withLock { $0 } }

  /// Runs the body, and waits until it has ended, or the limits are over.
  func play(within limits: Limits?) async {
    let task = Task(name: SteeredBody.taskName, executorPreference: executor) { [self] in
      do { try await body.run(recordsIssues: limits == nil) } catch {
        thrown.withLock { $0 = error }
      }
      executor.end()
    }
    executor.start { task.cancel() }
    if let limits {
      await executor.hasComeToMoment.wait(atMost: limits.moment)
      if !executor.hasComeToMoment.isRaised {
        lateness.store(true, ordering: .releasing)
        executor.cancel()
      }
      await executor.hasEnded.wait(atMost: limits.end)
      if !hasEnded { return }
    }
    // A moment after the body, its task has ended, too, and keeps nothing.
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends the run, even if the body has not ended.
  func end() { if body.isStopped { executor.stop() } }
}

/// A run of a body, of which something may be left.
struct Trial {
  /// The run.
  let run: SteeredRun
  /// What watches over what is left of it.
  let scope: LeakScope

  /// What is still there after a pause: nothing, or the titles of what would be reported.
  ///
  /// - Returns: nil when a task has not ended. Only the heap tells which.
  func titlesOfRest(after pause: Duration) async -> Set<String>? {
    var waiting = Waiting(for: scope)
    if await waiting.isSettled(within: pause) { return [] }
    if scope.hasUnfinishedTasks { return nil }
    return Set(scope.survivors.map { Leak(subject: .object($0, nil, nil)).title })
  }

  /// Waits, looks at what is left, and ends the trial.
  func leaks(patience: Patience) async -> (leaks: [Leak], finding: Finding?) {
    let finding = await Settling(scope: scope, patience: patience).run()
    defer { end() }
    return (finding.map { Leak.all(of: scope, in: $0) } ?? [], finding)
  }

  /// Ends the trial: whatever is left has been judged.
  func end() {
    run.end()
    if !scope.isSettled { scope.close() }
  }
}

extension LeakChecker {
  /// Runs a body, and watches over what is left of it.
  ///
  /// - Parameters:
  ///   - place: where the check stands in a test.
  ///   - moment: when to cancel it.
  ///   - limits: how long to wait for it; nil to wait for as long as it takes.
  func trial(
    of body: SteeredBody, at place: SourceLocation, cancelled moment: CancellationMoment = .never,
    within limits: SteeredRun.Limits? = nil
  ) async -> Trial {
    leak_check_start_recording()
    let scope = await makeScope(at: place)
    let run = SteeredRun(of: body, cancelled: moment)
    await play({ await run.play(within: limits) }, at: place, in: scope)
    return Trial(run: run, scope: scope)
  }

  /// The report on a leak of a trial.
  func report(_ leak: Leak, in finding: Finding, at place: SourceLocation) -> LeakReport {
    LeakReport(
      leak, in: finding, at: place, survivor: survivors.first { $0.subject.matches(leak) },
      baseline: Baseline(baseline, beside: place.path))
  }
}
