/// What a check has found: the value that every format of `memlab check` renders.
///
/// Encoded, it is the schema `memlab.check/1`.
public struct CheckReport: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  public static let schema = "memlab.check/1"

  /// The name of the scheduler that ran the tasks.
  public let scheduler: String
  /// Every ending there was to check, in the catalog's order.
  public let results: [CheckResult]
  /// Why the check stopped before its end, as a sentence; nil when it did not.
  public let error: String?
  /// How many came out how.
  public let summary: CheckSummary
  /// Whether everything that was selected has run, as declared.
  public let asExpected: Bool

  /// A report on these endings.
  public init(scheduler: String, results: [CheckResult], error: String?) {
    self.scheduler = scheduler
    self.results = results
    self.error = error
    summary = CheckSummary(of: results)
    asExpected = error == nil && results.allSatisfy { !$0.status.isFailure }
  }
}

/// How many endings of a check came out how.
public struct CheckSummary: Codable, Sendable, Equatable {
  /// How many scenarios had an ending run.
  public let scenarios: Int
  /// How many endings there were.
  public let endings: Int
  /// How many of them were run.
  public let ran: Int
  /// How many were not.
  public let skipped: Int
  /// How many measured what is declared.
  public let asDeclared: Int
  /// How many measured something else.
  public let differing: Int
  /// How many could not be measured.
  public let untrusted: Int

  init(of results: [CheckResult]) {
    func count(_ status: CheckResult.Status) -> Int { results.count { $0.status == status } }
    scenarios = Set(results.filter { $0.status != .skipped }.map(\.scenario)).count
    endings = results.count
    skipped = count(.skipped)
    ran = results.count - skipped
    (asDeclared, differing, untrusted) = (count(.asDeclared), count(.differing), count(.untrusted))
  }
}
