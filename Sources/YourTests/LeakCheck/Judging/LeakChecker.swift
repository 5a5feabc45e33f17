import CMemlabStart
import MemlabHeapModel
import MemlabHeapReader
package import Testing

/// A kind of check: runs a body, waits, and reports what outlives it.
package struct LeakChecker: Sendable {
  /// How long it waits.
  let patience: Patience
  /// What is meant to stay.
  let survivors: [KnownSurvivor]
  private let expected: [ExpectedLeak]
  /// The file of known leaks that it names.
  let baseline: String?
  private let tasks: Tasks
  private let findsRings: Bool
  // The test that is judged, where all of it is.
  private let test: String?

  /// The tasks that a check judges.
  package enum Tasks: Sendable {
    /// None: only objects are judged.
    case none
    /// Those that were created in the body, and the tasks that these created.
    case ofTheBody
    /// Those that were created in the process while the body ran.
    case all
  }

  /// A check with these settings; how long it waits is said as for ``Patience/init(limit:whenIdle:)``.
  package init(
    tasks: Tasks = .ofTheBody, findingRings findsRings: Bool = false, within limit: Duration,
    patience: Duration? = nil, allowing survivors: [KnownSurvivor] = [],
    expecting expected: [ExpectedLeak] = [], baseline: String? = nil, test: String? = nil
  ) {
    self.patience = Patience(limit: limit, whenIdle: patience)
    (self.tasks, self.findsRings, self.test) = (tasks, findsRings, test)
    (self.survivors, self.expected, self.baseline) = (survivors, expected, baseline)
  }

  /// Runs the body and reports.
  ///
  /// - Parameters:
  ///   - place: where the check stands in a test.
  ///   - report: is told of each leak before this returns; nil to fail the current test.
  /// - Throws: what the body throws.
  package func run<Result>(
    at place: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    report: (@Sendable (LeakReport) -> Void)? = nil, _ body: () async throws -> Result
  ) async rethrows {
    leak_check_start_recording()
    let scope = await makeScope(at: place)
    let report = report ?? { $0.recordInTest(at: place) }
    do {
      try await play(body, at: place, in: scope)
    } catch {
      await judge(scope, at: place, report)
      throw error
    }
    await judge(scope, at: place, report)
  }

  // A function of its own: when its frame is gone, nothing keeps the token or the result.
  /// Runs a body in a check.
  func play<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result,
    at place: SourceLocation, in scope: LeakScope
  ) async rethrows {
    scope.begin()
    try await ScopeToken.$current.withValue(scope.makeToken()) {
      for object in ReturnedObjects.find(in: try await body()) {
        scope.watch(object, at: place, as: tasks == .none ? .named : .returned)
      }
    }
  }

  /// A check that has not begun.
  func makeScope(at place: SourceLocation) async -> LeakScope {
    var latestTask: UInt64 = 0
    if tasks == .all { latestTask = await Task.detached { HeapTask.current?.id ?? 0 }.value }
    return HeapRecording.withoutRecording {
      LeakScope(judging: tasks, after: latestTask, findingRingsAt: findsRings ? place : nil)
    }
  }

  // A thread may have them on its stack or in its registers, and release them later.
  private static let unclear = """
    not known what this test leaves behind: there are objects that hold each other, and another \
    thread ran whenever the heap was read
    """

  private func judge(
    _ scope: LeakScope, at place: SourceLocation, _ report: @Sendable (LeakReport) -> Void
  ) async {
    let finding = await Settling(scope: scope, patience: patience).run()
    let leaks = finding.map { Leak.all(of: scope, in: $0) } ?? []
    scope.noteLeft(lost: finding?.lostBlocks ?? [])
    let (others, missing) = expected.judge(leaks)
    if let finding {
      // A leak that the test wants is in no baseline: it would hide that it has moved.
      let baseline = expected.isEmpty ? Baseline(baseline, beside: place.path, of: test) : nil
      // Before anything is reported, which changes the heap.
      var heap = others.isEmpty || !FindingFiles.areWanted ? nil : await FindingFiles.snapshot()
      func describe(_ leak: Leak, expected: ExpectedLeak?) -> LeakReport {
        LeakReport(
          leak, in: finding, at: place, survivor: survivors.first { $0.subject.matches(leak) },
          baseline: baseline, instead: expected)
      }
      // There may be thousands of rings.
      let reports =
        findsRings
        ? LeakReport.counted(others, by: { Fingerprint(of: $0.0).description }, describe)
        : LeakReport.counted(others.map(describe), by: \.textOfAll) { $0 }
      for var finding in reports {
        finding.files += heap.map { [$0] } ?? []
        report(finding)
        heap = nil
      }
      // Without the heap, only an object that the test names is known to stay.
      if tasks == .all, leaks.isEmpty, case .failure(let error) = finding.look {
        report(LeakReport(error.unjudged, at: place))
      }
      if leaks.isEmpty, scope.hasUnclearRings { report(LeakReport(Self.unclear, at: place)) }
    }
    for leak in missing { report(LeakReport(leak.absence)) }
    if finding != nil, tasks != .none { scope.close() }
  }
}
