import HeapGraph

/// How one ending of a check came out.
public struct CheckResult: Codable, Sendable {
  /// What became of an ending.
  public enum Status: String, Codable, Sendable {
    /// It measured what is declared.
    case asDeclared
    /// It measured something else.
    case differing
    /// It could not be measured.
    case untrusted
    /// It was not run.
    case skipped

    /// Whether a check with such a result in it has not succeeded.
    public var isFailure: Bool { self == .differing || self == .untrusted }
  }

  /// The scenario's id.
  public let scenario: String
  /// The family of its document.
  public let family: String
  /// The ending's name.
  public let ending: String
  /// The file that declares the scenario, from the package's root.
  public let file: String
  /// The line of the declaration, from 1.
  public let line: Int
  /// What became of the ending.
  public let status: Status
  /// Why it was not run or could not be measured, as a sentence.
  public let reason: String?
  /// Each way in which the measurement differs from what is declared, as a sentence.
  public let differences: [String]
  /// What the scenario declares.
  public let declared: CheckCounts
  /// What was measured; nil when nothing was.
  public let measured: CheckCounts?
  /// What came of other orders of the same jobs; nil when none were run.
  public let schedules: Exploration?

  /// A result of an ending; its parts say what it is.
  private init(
    _ scenario: Scenario, _ ending: Ending, _ status: Status, reason: String? = nil,
    trial: TrialReport? = nil, schedules: Exploration? = nil
  ) {
    (self.scenario, family) = (scenario.id, scenario.document.family)
    self.ending = ending.name
    (file, line) = (scenario.source.file, scenario.source.line)
    (self.status, self.reason) = (status, reason)
    let found = trial?.differences ?? []
    differences = found.isEmpty ? schedules?.differences ?? [] : found
    self.schedules = schedules
    declared = CheckCounts(ending.expects)
    measured = trial.map(CheckCounts.init)
  }

  /// An ending that was measured.
  ///
  /// - Parameter schedules: what came of other orders of the same jobs, where they were run.
  public static func measured(
    _ scenario: Scenario, _ ending: Ending, _ trial: TrialReport, schedules: Exploration? = nil
  ) -> CheckResult {
    let isAsDeclared = trial.asExpected && schedules?.asExpected != false
    return CheckResult(
      scenario, ending, isAsDeclared ? .asDeclared : .differing, trial: trial,
      schedules: schedules)
  }

  /// An ending that could not be measured, for this reason.
  public static func untrusted(
    _ scenario: Scenario, _ ending: Ending, _ reason: String
  ) -> CheckResult {
    CheckResult(scenario, ending, .untrusted, reason: reason)
  }

  /// An ending that was not run, for this reason.
  public static func skipped(
    _ scenario: Scenario, _ ending: Ending, _ reason: String
  ) -> CheckResult {
    CheckResult(scenario, ending, .skipped, reason: reason)
  }
}
