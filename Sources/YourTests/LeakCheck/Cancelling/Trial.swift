import CMemlabStart
import Testing

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
