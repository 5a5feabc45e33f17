/// A piece of Markdown without its marks: what was emphasised or code has a style, links are their
/// text.
package struct InlineText {
  /// The text alone.
  package private(set) var plain = ""
  // The style of every character that is not a space, in order: breaking lines moves spaces only.
  private var styles: [Style?] = []

  /// Reads a piece of Markdown.
  package init(_ markdown: String) { read(markdown[...], nil) }

  /// The text in lines of at most a width; a word that is wider stays whole.
  package func lines(width: Int) -> [StyledText] { styled(plain.wrapped(to: width)) }

  /// The text in lines of at most a width, for which long names are broken as well.
  func foldedLines(width: Int) -> [StyledText] { styled(plain.folded(to: width)) }

  private func styled(_ lines: [String]) -> [StyledText] {
    var index = 0
    return lines.map { line in
      line.reduce(into: StyledText("")) { styled, character in
        let isSpace = character == " "
        styled += StyledText(String(character), isSpace ? nil : styles[index])
        index += isSpace ? 0 : 1
      }
    }
  }

  private mutating func read(_ markdown: Substring, _ style: Style?) {
    var rest = markdown
    while !rest.isEmpty {
      if let code = InlineSpan.code(rest) {
        append(code.inside, .emphasis)
        rest = code.rest
      } else if let emphasis = InlineSpan.emphasis(rest) {
        read(emphasis.inside, .emphasis)
        rest = emphasis.rest
      } else if let link = InlineSpan.link(rest) {
        read(link.inside, style)
        rest = link.rest
      } else {
        append(rest.prefix(1), style)
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func append(_ text: Substring, _ style: Style?) {
    plain += text
    styles += text.filter { $0 != " " }.map { _ in style }
  }
}

/// The text between two marks at the beginning of a piece of Markdown, and what follows.
package struct InlineSpan {
  /// The text between the marks, which may have marks of its own.
  package let inside: Substring
  /// What follows the second mark.
  package let rest: Substring

  /// `` `code` ``, in which no other mark counts.
  package static func code(_ text: Substring) -> InlineSpan? {
    guard text.first == "`", let end = text.dropFirst().firstIndex(of: "`") else { return nil }
    return InlineSpan(
      inside: text[text.index(after: text.startIndex)..<end], rest: text[text.index(after: end)...])
  }

  /// `**strong**` or `*emphasis*`; a star beside a space is a star.
  package static func emphasis(_ text: Substring) -> InlineSpan? {
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
  package static func link(_ text: Substring) -> InlineSpan? {
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
