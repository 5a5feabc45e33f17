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
    self.scheduler = scheduler
    self.results = results
    self.error = error
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
package struct CheckCounts: Codable, Sendable {
  /// The verdict; nil where the outcome is random and nothing is declared.
  package let verdict: Verdict?
  /// Objects by type.
  package let objects: [ObjectCount]
  /// Tasks by name.
  package let tasks: [TaskCount]
  /// The scenario's own figures.
  package let metrics: [Metric: Int]

  /// What is declared.
  init(_ declaration: Declaration) {
    verdict = declaration.isBinding ? declaration.verdict : nil
    (objects, tasks) = (declaration.objects, declaration.tasks)
    metrics = declaration.metrics
  }

  /// What was measured.
  init(_ trial: TrialReport) {
    (verdict, objects, tasks, metrics) = (trial.verdict, trial.objects, trial.tasks, trial.metrics)
  }
}
