/// What stands between two marks at the beginning of a piece of Markdown, and what follows.
struct InlineSpan {
  /// The text between the marks, which may have marks of its own.
  let inside: Substring
  /// What follows the second mark.
  let rest: Substring

  /// `` `code` ``, in which no other mark counts.
  static func code(_ text: Substring) -> InlineSpan? {
    guard text.first == "`", let end = text.dropFirst().firstIndex(of: "`") else { return nil }
    return InlineSpan(
      inside: text[text.index(after: text.startIndex)..<end], rest: text[text.index(after: end)...])
  }

  /// `**strong**` or `*emphasis*`; a star beside a space is a star.
  static func emphasis(_ text: Substring) -> InlineSpan? {
    let mark = String(text.prefix { $0 == "*" }.prefix(2))
    let start = text.dropFirst(mark.count)
    guard !mark.isEmpty, let first = start.first, first != " " else { return nil }
    var rest = start
    while !rest.isEmpty {
      if let code = code(rest) {
        rest = code.rest
      } else if rest.hasPrefix(mark), isEnd(rest.startIndex, of: start) {
        return InlineSpan(
          inside: start[..<rest.startIndex], rest: rest.dropFirst(mark.count))
      } else {
        rest = rest.dropFirst()
      }
    }
    return nil
  }

  /// `[text](address)`.
  static func link(_ text: Substring) -> InlineSpan? {
    guard text.first == "[" else { return nil }
    var depth = 0
    let end = text.indices.first { index in
      depth += text[index] == "[" ? 1 : text[index] == "]" ? -1 : 0
      return depth == 0
    }
    guard let end, text[end...].hasPrefix("]("), let last = text[end...].firstIndex(of: ")") else {
      return nil
    }
    return InlineSpan(
      inside: text[text.index(after: text.startIndex)..<end], rest: text[text.index(after: last)...]
    )
  }

  private static func isEnd(_ index: String.Index, of text: Substring) -> Bool {
    index > text.startIndex && text[text.index(before: index)] != " "
  }
}
