/// A piece of Markdown without its marks: what was emphasised or code has a style, links are their
/// text.
struct InlineText {
  /// The text alone.
  private(set) var plain = ""
  // The style of every character that is not a space, in order: breaking lines moves spaces only.
  private var styles: [Style?] = []

  /// Reads a piece of Markdown.
  init(_ markdown: String) { read(markdown[...], nil) }

  /// The text in lines of at most a width; a word that is wider stays whole.
  func lines(width: Int) -> [StyledText] { styled(plain.wrapped(to: width)) }

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
