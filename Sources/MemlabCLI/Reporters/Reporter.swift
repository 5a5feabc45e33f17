import MemlabKit

/// Writes a scenario's report; it runs nothing and measures nothing.
///
/// It is told of each piece as soon as the piece is there, so that what a scenario had to say
/// before it trapped is not lost.
protocol Reporter: Sendable {
  /// A scenario is about to run.
  func begin(_ scenario: Scenario) throws
  /// Something about the whole run should be known.
  func remark(_ sentence: String) throws
  /// One of its endings is about to run.
  func begin(_ ending: Ending) throws
  /// A step is over.
  func step(_ record: StepRecord)
  /// The ending has been measured.
  func end(_ ending: Ending, _ trial: TrialReport) throws
  /// All endings have been measured.
  func end(_ scenario: Scenario, _ report: Report) throws
}
