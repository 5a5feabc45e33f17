import MemlabHeapModel

/// What a check has found: the value that every format of `memlab check` renders.
///
/// Encoded, it is the schema `memlab.check/1`.
package struct CheckReport: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.check/1"

  /// The name of the scheduler that ran the tasks.
  package let scheduler: String
  /// Every ending there was to check, in the catalog's order.
  package let results: [CheckResult]
  /// Why the check stopped before its end, as a sentence; nil when it did not.
  package let error: String?
  /// How many came out how.
  package let summary: CheckSummary
  /// Whether everything that was selected has run, as declared.
  package let asExpected: Bool

  /// A report on these endings.
  package init(scheduler: String, results: [CheckResult], error: String?) {
    (self.scheduler, self.results, self.error) = (scheduler, results, error)
    summary = CheckSummary(of: results)
    asExpected = error == nil && results.allSatisfy { !$0.status.isFailure }
  }
}

/// How many endings of a check came out how.
package struct CheckSummary: Codable, Sendable, Equatable {
  /// How many scenarios had an ending run.
  package let scenarios: Int
  /// How many endings there were.
  package let endings: Int
  /// How many of them were run.
  package let ran: Int
  /// How many were not.
  package let skipped: Int
  /// How many measured what is declared.
  package let asDeclared: Int
  /// How many measured something else.
  package let differing: Int
  /// How many could not be measured.
  package let untrusted: Int

  /// The numbers for these results.
  init(of results: [CheckResult]) {
    func count(_ status: CheckResult.Status) -> Int { results.count { $0.status == status } }
    scenarios = Set(results.filter { $0.status != .skipped }.map(\.scenario)).count
    endings = results.count
    skipped = count(.skipped)
    ran = results.count - skipped
    (asDeclared, differing, untrusted) = (count(.asDeclared), count(.differing), count(.untrusted))
  }
}

/// A verdict with the counts that it comes from.
package struct CheckCounts: Codable, Sendable, Equatable {
  /// The verdict; nil where the outcome is random and nothing is declared.
  package let verdict: Verdict?
  /// Objects by type.
  package let objects: [ObjectCount]
  /// Tasks by name.
  package let tasks: [TaskCount]
  /// The scenario's own figures.
  package let metrics: [Metric: Int]

  /// What is declared.
  package init(_ declaration: Declaration) {
    verdict = declaration.isBinding ? declaration.verdict : nil
    (objects, tasks, metrics) = (declaration.objects, declaration.tasks, declaration.metrics)
  }

  /// What was measured.
  package init(_ trial: TrialReport) {
    (verdict, objects, tasks, metrics) = (trial.verdict, trial.objects, trial.tasks, trial.metrics)
  }

  /// "declared for some order, and came of none: race, lostUpdates 1".
  package var sentenceOfAbsence: String {
    "declared for some order, and came of none: "
      + ([verdict?.rawValue ?? ""] + figures).joined(separator: ", ")
  }

  /// The scenario's own figures in words, by name: `lostUpdates 1`.
  package var figures: [String] { metrics.sorted { $0.key < $1.key }.map { "\($0) \($1)" } }
}

/// How one ending of a check came out.
package struct CheckResult: Codable, Sendable {
  /// What became of an ending.
  package enum Status: String, Codable, Sendable {
    /// It measured what is declared.
    case asDeclared
    /// It measured something else.
    case differing
    /// It could not be measured.
    case untrusted
    /// It was not run.
    case skipped

    /// Whether a check with such a result in it has not succeeded.
    package var isFailure: Bool { self == .differing || self == .untrusted }
  }

  /// The scenario's id.
  package let scenario: String
  /// The family of its document.
  package let family: String
  /// The ending's name.
  package let ending: String
  /// The file that declares the scenario, from the package's root.
  package let file: String
  /// The line of the declaration, from 1.
  package let line: Int
  /// What became of the ending.
  package let status: Status
  /// Why it was not run or could not be measured, as a sentence.
  package let reason: String?
  /// Each way in which the measurement differs from what is declared, as a sentence.
  package let differences: [String]
  /// What the scenario declares.
  package let declared: CheckCounts
  /// What was measured; nil when nothing was.
  package let measured: CheckCounts?
  /// What came of other orders of the same jobs; nil when none were run.
  package let schedules: Exploration?
  /// How long it took, in real time; nil when it was not run. Not a part of the JSON report, which is
  /// the same for equal measurements.
  package private(set) var duration: Duration?

  private enum CodingKeys: String, CodingKey {
    case scenario, family, ending, file, line, status, reason, differences, declared, measured
    case schedules
  }

  /// A result of an ending; its parts say what it is.
  private init(
    _ scenario: Scenario, _ ending: Ending, _ status: Status, reason: String? = nil,
    trial: TrialReport? = nil, schedules: Exploration? = nil, differences: [String] = []
  ) {
    (self.scenario, family) = (scenario.id, scenario.document.family)
    self.ending = ending.name
    (file, line) = (scenario.source.file, scenario.source.line)
    (self.status, self.reason) = (status, reason)
    let found = trial?.differences ?? differences
    self.differences = found.isEmpty ? schedules?.differences ?? [] : found
    self.schedules = schedules
    declared = CheckCounts(ending.expects)
    measured = trial.map(CheckCounts.init)
  }

  /// An ending that was measured.
  ///
  /// - Parameter schedules: what came of other orders of the same jobs, where they were run.
  package static func measured(
    _ scenario: Scenario, _ ending: Ending, _ trial: TrialReport, schedules: Exploration? = nil
  ) -> CheckResult {
    let isAsDeclared = trial.asExpected && schedules?.asExpected != false
    return CheckResult(
      scenario, ending, isAsDeclared ? .asDeclared : .differing, trial: trial, schedules: schedules)
  }

  /// An ending that could not be measured, for this reason.
  package static func untrusted(
    _ scenario: Scenario, _ ending: Ending, _ reason: String
  ) -> CheckResult { CheckResult(scenario, ending, .untrusted, reason: reason) }

  /// An ending that was not run, for this reason.
  package static func skipped(
    _ scenario: Scenario, _ ending: Ending, _ reason: String
  ) -> CheckResult { CheckResult(scenario, ending, .skipped, reason: reason) }

  /// What a file of expected results has of an ending that the program has not.
  ///
  /// - Parameters:
  ///   - entry: what the file has.
  ///   - path: the file.
  package static func stale(_ entry: ExpectedResults.Entry, in path: String) -> CheckResult {
    let scenario = Scenario(
      id: entry.scenario, title: "", endings: [], path: path, line: entry.line)
    let ending = Ending(entry.ending, "", expects: entry.declaration) { _ in }
    return CheckResult(
      scenario, ending, .differing,
      differences: [
        "\(path), line \(entry.line), has this ending, but the program has no such ending to "
          + "compare; check --record removes it"
      ])
  }

  /// Why an ending is skipped that the command line does not ask for.
  package static let notSelected = "not selected"

  /// Whether it was skipped because the command line does not ask for it.
  package var isUnselected: Bool { status == .skipped && reason == Self.notSelected }

  /// The same result, with how long it took.
  package func taking(_ duration: Duration) -> CheckResult {
    changed(self) { $0.duration = duration }
  }
}
