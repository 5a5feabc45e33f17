/// A sentence of a document, held against a measurement.
package struct ClaimResult: Codable, Sendable {
  /// The sentence in English.
  package let text: String
  /// The sentence as the document has it.
  package let original: String
  /// Whether the measurement bears it out.
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
