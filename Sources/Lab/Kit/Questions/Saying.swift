/// A sentence with places for numbers and names, so that it can be said in another language too.
package struct Saying: Sendable, Equatable {
  /// The sentence in English, in which `#1` stands for the first value and `#2` for the second.
  package let text: String
  /// The numbers and names.
  package let values: [String]

  /// A sentence.
  package init(_ text: String, _ values: any CustomStringConvertible...) {
    self.init(text, values: values.map(\.description))
  }

  /// A sentence.
  package init(_ text: String, values: [String]) { (self.text, self.values) = (text, values) }

  /// The sentence in English, with its values.
  package var inWords: String { filling(text) }

  /// A translation of the sentence, with its values.
  package func filling(_ translation: String) -> String {
    // A value may have a `#1` of its own: names of closures do.
    let parts = translation.split(separator: "#", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { said, part in
      guard let place = part.first?.wholeNumberValue, values.indices.contains(place - 1) else {
        return said + "#" + part
      }
      return said + values[place - 1] + part.dropFirst()
    }
  }
}

extension [Saying] {
  /// The sentences in English, one after the other.
  package var inWords: String { map(\.inWords).joined(separator: " ") }
}
