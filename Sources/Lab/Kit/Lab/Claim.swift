/// A sentence of a document, turned into a predicate over what is measured.
public struct Claim: Sendable {
  /// What a scenario declares of a claim.
  public enum Outcome: Sendable {
    /// The measurement confirms the sentence.
    case holds
    /// The measurement contradicts the sentence, for this reason.
    case fails(because: String)
  }

  /// The sentence in English.
  public let text: String
  /// The sentence as the document has it, to be found there by searching.
  public let original: String
  /// What the scenario's author found.
  public let outcome: Outcome
  private let predicate: @Sendable (Measurement) -> Bool

  /// A claim.
  ///
  /// - Parameters:
  ///   - text: the sentence in English.
  ///   - original: the sentence as the document has it.
  ///   - outcome: what the scenario's author found.
  ///   - predicate: whether a measurement confirms the sentence.
  public init(
    _ text: String, original: String, _ outcome: Outcome = .holds,
    when predicate: @escaping @Sendable (Measurement) -> Bool
  ) {
    self.text = text
    self.original = original
    self.outcome = outcome
    self.predicate = predicate
  }

  /// Compares the sentence with a measurement.
  func result(for measurement: Measurement) -> ClaimResult {
    let holds = predicate(measurement)
    switch outcome {
    case .holds:
      return ClaimResult(
        text: text, original: original, holds: holds, asExpected: holds, because: nil)
    case .fails(let reason):
      return ClaimResult(
        text: text, original: original, holds: holds, asExpected: !holds, because: reason)
    }
  }
}

/// A sentence of a document, held against a measurement.
package struct ClaimResult: Codable, Sendable {
  /// The sentence in English.
  package let text: String
  /// The sentence as the document has it.
  package let original: String
  /// Whether the measurement confirms it.
  package let holds: Bool
  /// Whether that is what the scenario declares.
  package let asExpected: Bool
  /// Why the sentence does not hold, where the scenario declares so.
  package let because: String?

  /// The sentence that tells an unexpected result.
  var surprise: String {
    "claim \"\(text)\": expected to \(holds ? "fail, but it holds" : "hold, but it fails")"
  }
}
