/// Swift code with its comments, texts, keywords and types marked, as far as one look at each word
/// can tell.
enum SwiftColors {
  static func markup(of code: String) -> Markup {
    var rest = code[...]
    var pieces: [Markup] = []
    while let first = rest.first {
      let token = token(at: rest, first)
      rest = rest[token.endIndex...]
      // A label of an argument may be a keyword's name, as in 'f(for: x)'.
      let style = rest.first == ":" ? nil : style(of: token, first)
      pieces.append(
        style.map { Markup("span", ["class": $0]) { String(token) } }
          ?? Markup(text: String(token)))
    }
    return Markup(pieces)
  }

  private static func token(at rest: Substring, _ first: Character) -> Substring {
    if rest.hasPrefix("//") { return rest.prefix { !$0.isNewline } }
    if first == "\"" {
      let end = rest.dropFirst().firstIndex { $0 == "\"" || $0.isNewline }
      return end.map { rest[...$0] } ?? rest
    }
    if first.isWordPart { return rest.prefix { $0.isWordPart } }
    let plain = rest.dropFirst().prefix { !$0.isWordPart && $0 != "\"" && $0 != "/" }
    return rest[..<plain.endIndex]
  }

  private static func style(of token: Substring, _ first: Character) -> String? {
    if token.hasPrefix("//") { return "comment" }
    if first == "\"" { return "text" }
    if keywords.contains(String(token)) { return "keyword" }
    return first.isUppercase ? "type" : nil
  }

  private static let keywords: Set = [
    "actor", "any", "as", "async", "await", "case", "catch", "class", "defer", "deinit", "do",
    "else", "enum", "extension", "false", "fileprivate", "final", "for", "func", "get", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil",
    "nonisolated", "override", "package", "private", "protocol", "public", "rethrows", "return",
    "self", "Self", "set", "some", "static", "struct", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "unowned", "var", "weak", "where", "while",
  ]
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "@" }
}
