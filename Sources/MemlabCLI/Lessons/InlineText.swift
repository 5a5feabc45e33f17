/// A piece of Markdown without its marks: what was bold or code has a style, links are their text.
struct InlineText {
  /// The text alone.
  private(set) var plain = ""
  // The style of every character that is not a space, in order: breaking lines moves spaces only.
  private var styles: [Style?] = []

  /// Reads a piece of Markdown.
  init(_ markdown: String) {
    var rest = markdown[...]
    var isBold = false
    while let first = rest.first {
      if rest.hasPrefix("**") {
        isBold.toggle()
        rest = rest.dropFirst(2)
      } else if first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        append(rest[rest.index(after: rest.startIndex)..<end], .emphasis)
        rest = rest[rest.index(after: end)...]
      } else if let link = Self.link(rest) {
        append(link.text, isBold ? .emphasis : nil)
        rest = link.rest
      } else {
        append(rest.prefix(1), isBold ? .emphasis : nil)
        rest = rest.dropFirst()
      }
    }
  }

  /// The text in lines of at most a width.
  func lines(width: Int) -> [StyledText] {
    var index = 0
    return plain.wrapped(to: width).map { line in
      line.reduce(into: StyledText("")) { styled, character in
        let isSpace = character == " "
        styled += StyledText(String(character), isSpace ? nil : styles[index])
        index += isSpace ? 0 : 1
      }
    }
  }

  private mutating func append(_ text: Substring, _ style: Style?) {
    plain += text
    styles += text.filter { $0 != " " }.map { _ in style }
  }

  private static func link(_ text: Substring) -> (text: Substring, rest: Substring)? {
    guard text.hasPrefix("["), let middle = text.firstRange(of: "]("),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let name = text[text.index(after: text.startIndex)..<middle.lowerBound]
    return (name, text[text.index(after: end)...])
  }
}
