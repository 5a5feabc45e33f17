/// What running a scenario has measured: the value that every reporter renders.
///
/// Encoded, it is the schema `memlab.report/1`.
package struct Report: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.report/1"

  /// The scenario's id.
  package let scenario: String
  /// The file name, or the address, of the document that the scenario comes from.
  package let document: String
  /// The endings that were run, in the scenario's order.
  package let trials: [TrialReport]
  /// Whether every trial measured what the scenario declares.
  package let asExpected: Bool
  /// Why there is no second witness, as a sentence; nil when there is one.
  package let remark: String?

  /// A report on these trials of a scenario.
  ///
  /// - Parameter remark: why there is no second witness, as a sentence.
  package init(scenario: Scenario, trials: [TrialReport], remark: String? = nil) {
    self.scenario = scenario.id
    self.document = scenario.document.file
    self.trials = trials
    self.remark = remark
    self.asExpected = trials.allSatisfy(\.asExpected)
  }
}
