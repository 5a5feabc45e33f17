import Testing

/// Runs a body again and again, cancels it elsewhere each time, and reports what is left of it.
struct CancellingCheck: Sendable {
  /// Where the body is cancelled.
  let points: CancellationPoints
  /// Judges each run.
  let check: LeakChecker

  // A look at the heap is surer, and sooner over, where few threads run. So of the checks in tests
  // that run at the same time, one cancels.
  private static let turns = Turns()

  /// Runs the body and reports.
  ///
  /// - Returns: what the body has thrown when nobody cancelled it.
  func run(_ body: SteeredBody, at place: SourceLocation) async -> (any Error)? {
    func record(_ reports: [LeakReport]) {
      for report in reports { report.recordInTest(at: place) }
    }
    if let mistake = points.mistake {
      record([LeakReport(mistake)])
      return nil
    }
    let start = ContinuousClock.now
    let plain = await check.trial(of: body, at: place)
    let duration = ContinuousClock.now - start
    let (leaks, finding) = await plain.leaks(patience: check.patience)
    if let finding { record(leaks.map { check.report($0, in: finding, at: place) }) }
    var runs = CancelledRuns(
      of: body, by: check, at: place, after: plain.run, leaving: leaks, lasting: duration)
    // A check in the body of another is part of its turn.
    let isInside = ScopeToken.current != nil
    if !isInside { await Self.turns.begin() }
    await cancel(&runs, plain.run.suspensions)
    if !isInside { Self.turns.end() }
    record(runs.reports + points.remarks(on: plain.run.suspensions, runs))
    return plain.run.error
  }

  private func cancel(_ runs: inout CancelledRuns, _ suspensions: [Suspension]) async {
    var moments = points.moments(in: suspensions)[...]
    var number = suspensions.count
    while !Task.isCancelled, runs.problem == nil {
      if let moment = moments.popFirst() {
        await runs.cancel(moment)
      } else if number < points.limit, runs.furthest >= number {
        // Some bodies suspend more often in one run than in another.
        number += 1
        moments = [.during(number), .after(number)]
      } else {
        return
      }
    }
  }
}

extension CancellationPoints {
  /// What is to be said besides what was found.
  ///
  /// - Parameters:
  ///   - suspensions: where the body has suspended when nobody cancelled it.
  ///   - runs: those that were cancelled.
  fileprivate func remarks(on suspensions: [Suspension], _ runs: CancelledRuns) -> [LeakReport] {
    if let problem = runs.problem { return [LeakReport(problem)] }
    let count = suspensions.count
    let times = count == 1 ? "once" : "\(count) times"
    if case .one(let number) = choice, runs.furthest < number {
      let words = "cancelling: .at(\(number)) is no place of this body. It suspends \(times)"
      return [LeakReport(words)]
    }
    var remarks: [String] = []
    if case .each(let limit) = choice, limit < count {
      remarks.append(
        "cancelled at \(limit) of \(count) suspensions, picked evenly: "
          + ".atEachSuspension(limit: \(count)) takes all")
    }
    if count > 0, suspensions.allSatisfy({ $0.kind == .elsewhere }) {
      remarks.append(
        "the body waits only on executors that the check does not steer, such as the main actor's: "
          + "it was cancelled \(times) while it was there, and not at each place where it waits")
    }
    return remarks.map { LeakReport($0, isFailure: false) }
  }
}
