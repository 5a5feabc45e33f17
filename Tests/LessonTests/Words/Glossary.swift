/// The terms that `Documentation/Glossary.md` fixes.
struct Glossary {
  /// Where it is.
  static let path = "Documentation/Glossary.md"

  /// The terms, in the order of the page.
  let terms: [String]

  /// Reads the page: each term is a point that begins `- **term**:`.
  init(_ text: String) {
    terms = text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^- \*\*(.+?)\*\*:/).map { String($0.1) }
    }
  }

  /// The terms that occur in none of these texts.
  func missing(in texts: [String]) -> [String] {
    let words = texts.map { $0.lowercased().split(whereSeparator: \.isWhitespace) }
      .map { " " + $0.joined(separator: " ") }
    return terms.filter { term in !words.contains { $0.contains(term.lowercased()) } }
  }
}
