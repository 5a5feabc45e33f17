package import MemlabTerminalText

/// Swift code in pieces, each with what it is as far as one look at each word can tell.
///
/// Knows just enough of the language for the code of the documents: no block comments, no strings
/// over several lines.
package enum SwiftCode {
  /// What a piece of code is.
  package enum Kind: String, Sendable {
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
      pieces.append((piece, rest.first == ":" && first != "\"" ? nil : kind(of: piece, first)))
    }
    return pieces
  }

  /// A line of code for a terminal: keywords stand out a little, comments step back.
  package static func styled(_ line: String) -> StyledText {
    pieces(of: line).reduce(into: "") { styled, piece in
      styled += StyledText(String(piece.text), piece.kind.flatMap { styles[$0] })
    }
  }

  private static let styles: [Kind: TextStyle] = [.keyword: .emphasis, .comment: .dim]

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
    return keywords.contains(String(piece)) ? .keyword : first.isUppercase ? .type : nil
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

/// A line of code that is wider than a page, in pieces that fit.
package enum BrokenLine {
  /// The mark in place of a number where a line continues.
  package static let mark = "↳"

  /// The pieces of a line; each but the first is indented further than the line is.
  ///
  /// - Parameters:
  ///   - line: The line; it stays in one piece if it fits.
  ///   - width: The width in columns, at least 8.
  package static func pieces(of line: String, width: Int) -> [StyledText] {
    let indent = min(line.prefix { $0 == " " }.count + 4, width / 2)
    var pieces: [StyledText] = []
    var rest = SwiftCode.styled(line)
    while rest.width > width {
      let (piece, next) = rest.split(at: end(ofFirstPieceOf: rest.plain, width: width))
      pieces.append(piece)
      rest = StyledText(spaces(indent)) + next
    }
    return pieces + [rest]
  }

  /// The number of characters that the first piece of a line has; the spaces after it are dropped.
  ///
  /// A line is broken where the fewest brackets are open, as a reader would break it, unless the
  /// first piece became too short.
  private static func end(ofFirstPieceOf line: String, width: Int) -> Int {
    let (indent, start) = (line.prefix { $0 == " " }.count, String(line.prefix(width + 1)))
    let gaps = gaps(in: start).filter { $0.place > indent && $0.place <= width }
    let late = gaps.filter { $0.place >= indent + (width - indent) / 3 }
    let best = late.reversed().min { $0.cost < $1.cost } ?? gaps.last
    return best?.place ?? max(1, line.fitting(width).count)
  }

  /// The spaces outside of strings, and what breaking the line there costs: how many brackets are
  /// open, and more after a label or an arrow, which belongs to the next word.
  private static func gaps(in line: String) -> [(place: Int, cost: Int)] {
    var (depth, isInString) = (0, false)
    var gaps: [(place: Int, cost: Int)] = []
    var before = ""
    for (place, character) in line.enumerated() {
      let isBehindSpace = before.last == " "
      switch character {
      case "\"": if before.last != "\\" { isInString.toggle() }
      case " ":
        let isBound = [":", "->", " _"].contains { before.hasSuffix($0) }
        if !isInString && !isBehindSpace { gaps.append((place, depth + (isBound ? 4 : 0))) }
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "<": depth += isBehindSpace ? 0 : 1
      case ">": depth -= isBehindSpace || before.last == "-" ? 0 : 1
      default: break
      }
      before = String(before.suffix(1)) + String(character)
    }
    return gaps
  }
}
