/// A sentence of a document, held against a measurement.
public struct ClaimResult: Codable, Sendable {
  /// The sentence in English.
  public let text: String
  /// The sentence as the document has it.
  public let original: String
  /// Whether the measurement bears it out.
  public let holds: Bool
  /// Whether that is what the scenario declares.
  public let asExpected: Bool
  /// Why the sentence does not hold, where the scenario declares so.
  public let because: String?

  /// The sentence that tells an unexpected result.
  var surprise: String {
    "claim \"\(text)\": expected to \(holds ? "fail, but it holds" : "hold, but it fails")"
  }
}
