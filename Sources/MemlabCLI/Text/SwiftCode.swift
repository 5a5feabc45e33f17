/// A line of Swift in colour: keywords stand out a little, comments step back.
///
/// Knows just enough of the language for the code of the documents: no block comments, no strings
/// over several lines.
enum SwiftLine {
  private static let keywords: Set<String> = [
    "actor", "as", "async", "await", "case", "catch", "class", "deinit", "do", "else", "enum",
    "extension", "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import",
    "in", "init", "inout", "internal", "isolated", "lazy", "let", "mutating", "nil", "override",
    "private", "protocol", "public", "return", "self", "Self", "set", "static", "struct", "switch",
    "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
  ]

  static func styled(_ line: String) -> StyledText {
    var styled: StyledText = ""
    var rest = line[...]
    while let first = rest.first {
      if rest.hasPrefix("//") { return styled + StyledText(String(rest), .dim) }
      let piece: Substring
      if first == "\"" {
        piece = rest.prefix(through: endOfString(rest))
      } else if first.isLetter || first == "_" {
        piece = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      } else {
        piece = rest.prefix(1)
      }
      styled += StyledText(String(piece), keywords.contains(String(piece)) ? .emphasis : nil)
      rest = rest[piece.endIndex...]
    }
    return styled
  }

  /// The closing quotation mark of a string, or the end of the line.
  private static func endOfString(_ text: Substring) -> String.Index {
    var isEscaped = false
    let end = text.indices.dropFirst().first { index in
      defer { isEscaped = text[index] == "\\" && !isEscaped }
      return text[index] == "\"" && !isEscaped
    }
    return end ?? text.index(before: text.endIndex)
  }
}
