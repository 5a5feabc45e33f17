/// Swift code in pieces, each with what it is as far as one look at each word can tell.
///
/// Knows just enough of the language for the code of the documents: no block comments, no strings
/// over several lines.
package enum SwiftCode {
  /// What a piece of code is.
  package enum Kind: String {
    /// From `//` to the end of the line.
    case comment
    /// A word of the language.
    case keyword
    /// A string.
    case text
    /// A name that begins with a capital letter.
    case type
  }

  /// The pieces of some code, which together are the code; nil for what has no kind.
  package static func pieces(of code: String) -> [(text: Substring, kind: Kind?)] {
    var pieces: [(text: Substring, kind: Kind?)] = []
    var rest = code[...]
    while let first = rest.first {
      let piece = piece(at: rest, first)
      rest = rest[piece.endIndex...]
      // A label of an argument may be a keyword's name, as in 'f(for: x)'.
      let isLabel = rest.first == ":" && first != "\""
      pieces.append((piece, isLabel ? nil : kind(of: piece, first)))
    }
    return pieces
  }

  /// A line of code for a terminal: keywords stand out a little, comments step back.
  package static func styled(_ line: String) -> StyledText {
    pieces(of: line).reduce(into: "") { styled, piece in
      let style: Style? =
        switch piece.kind {
        case .keyword: .emphasis
        case .comment: .dim
        default: nil
        }
      styled += StyledText(String(piece.text), style)
    }
  }

  private static func piece(at rest: Substring, _ first: Character) -> Substring {
    if rest.hasPrefix("//") { return rest.prefix { !$0.isNewline } }
    if first == "\"" { return string(at: rest) }
    if first.isWordPart { return rest.prefix { $0.isWordPart } }
    let plain = rest.dropFirst().prefix { !$0.isWordPart && $0 != "\"" && $0 != "/" }
    return rest[..<plain.endIndex]
  }

  /// A string with its closing quotation mark, or what there is of it on its line.
  private static func string(at rest: Substring) -> Substring {
    var isEscaped = false
    let end = rest.indices.dropFirst().first { index in
      defer { isEscaped = rest[index] == "\\" && !isEscaped }
      return (rest[index] == "\"" && !isEscaped) || rest[index].isNewline
    }
    guard let end else { return rest }
    return rest[end].isNewline ? rest[..<end] : rest[...end]
  }

  private static func kind(of piece: Substring, _ first: Character) -> Kind? {
    if piece.hasPrefix("//") { return .comment }
    if first == "\"" { return .text }
    if keywords.contains(String(piece)) { return .keyword }
    return first.isUppercase ? .type : nil
  }

  private static let keywords: Set = [
    "actor", "any", "as", "async", "await", "case", "catch", "class", "defer", "deinit", "do",
    "else", "enum", "extension", "false", "fileprivate", "final", "for", "func", "get", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "isolated", "lazy", "let", "mutating",
    "nil", "nonisolated", "override", "package", "private", "protocol", "public", "rethrows",
    "return", "self", "Self", "set", "some", "static", "struct", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
  ]
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "@" }
}
