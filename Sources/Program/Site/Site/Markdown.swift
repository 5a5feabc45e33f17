package import MemlabTerminalText

/// A part of a lesson's text.
package enum MarkdownBlock: Equatable {
  /// A heading, and how deep.
  case heading(String, level: Int)
  /// A paragraph.
  case paragraph(String)
  /// A point of a list, with its mark: `-` or `1.`.
  case item(String, mark: String)
  /// Code or a transcript, with the word after the fence, and the command whose output it is, if
  /// the comment above the fence names one.
  case code([String], language: String, command: String?)
  /// A table, its first row the heading.
  case table([[String]])

  /// The parts of a text. Comments are left out.
  package static func blocks(of text: String) -> [MarkdownBlock] {
    var reader = MarkdownReader()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      reader.read(String(line))
    }
    return reader.finish()
  }
}

/// Reads a text line by line.
private struct MarkdownReader {
  private var blocks: [MarkdownBlock] = []
  private var code: (lines: [String], language: String, command: String?)?
  // The command that the last line named, if it did.
  private var command: String?
  private var isInComment = false
  // Whether the next line of text belongs to the last block.
  private var isOpen = false

  mutating func read(_ line: String) {
    defer { command = Self.command(in: line) }
    if let open = code {
      if line.hasPrefix("```") {
        blocks.append(.code(open.lines, language: open.language, command: open.command))
        code = nil
      } else {
        code?.lines.append(line)
      }
    } else if line.hasPrefix("```") {
      code = ([], String(line.dropFirst(3)), command)
      isOpen = false
    } else if isInComment || line.hasPrefix("<!--") {
      isInComment = !line.hasSuffix("-->")
    } else {
      readText(line)
    }
  }

  func finish() -> [MarkdownBlock] {
    guard let code else { return blocks }
    return blocks + [.code(code.lines, language: code.language, command: code.command)]
  }

  // As tests check it: <!-- output: memlab graph strong-self -->
  private static func command(in line: String) -> String? {
    let (start, end) = ("<!-- output: ", " -->")
    guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
    return String(line.dropFirst(start.count).dropLast(end.count))
  }

  private mutating func readText(_ line: String) {
    let text = line.drop { $0 == " " }
    let level = line.prefix { $0 == "#" }.count
    if text.isEmpty {
      isOpen = false
    } else if level > 0 {
      blocks.append(.heading(String(line.dropFirst(level + 1)), level: level))
    } else if text.hasPrefix("|") {
      readRow(String(text))
    } else if let mark = Self.mark(of: text) {
      blocks.append(.item(String(text.dropFirst(mark.count + 1)), mark: mark))
      isOpen = true
    } else if isOpen {
      extend(by: String(text))
    } else {
      blocks.append(.paragraph(String(text)))
      isOpen = true
    }
  }

  private static func mark(of text: Substring) -> String? {
    if text.hasPrefix("- ") { return "-" }
    let digits = text.prefix { $0.isNumber }
    return !digits.isEmpty && text.dropFirst(digits.count).hasPrefix(". ") ? digits + "." : nil
  }

  private mutating func readRow(_ line: String) {
    let cells = line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard !cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) else { return }
    if case .table(let rows) = blocks.last {
      blocks[blocks.count - 1] = .table(rows + [cells])
    } else {
      blocks.append(.table([cells]))
    }
  }

  private mutating func extend(by text: String) {
    switch blocks.last {
    case .paragraph(let start): blocks[blocks.count - 1] = .paragraph(start + " " + text)
    case .item(let start, let mark):
      blocks[blocks.count - 1] = .item(start + " " + text, mark: mark)
    default: blocks.append(.paragraph(text))
    }
  }
}

/// A piece of Markdown without its marks: what was emphasised or code has a style, links are their
/// text.
package struct InlineText {
  /// The text alone.
  package private(set) var plain = ""
  // The style of every character that is not a space, in order: breaking lines moves spaces only.
  private var styles: [TextStyle?] = []

  /// Reads a piece of Markdown.
  package init(_ markdown: String) { read(markdown[...], nil) }

  /// The text in lines of at most a width; a word that is wider stays whole.
  package func lines(width: Int) -> [StyledText] { styled(plain.wrapped(to: width)) }

  /// The text in lines of at most a width, for which long names are broken as well.
  package func foldedLines(width: Int) -> [StyledText] { styled(plain.folded(to: width)) }

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

  private mutating func read(_ markdown: Substring, _ style: TextStyle?) {
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

  private mutating func append(_ text: Substring, _ style: TextStyle?) {
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

  // Where no second mark follows, each mark is looked for so far.
  private static let longest = 1_000

  /// `` `code` ``, in which no other mark counts.
  package static func code(_ text: Substring) -> InlineSpan? {
    guard text.first == "`", let end = text.dropFirst().prefix(longest).firstIndex(of: "`")
    else { return nil }
    return InlineSpan(
      inside: text[text.index(after: text.startIndex)..<end], rest: text[text.index(after: end)...])
  }

  /// `**strong**` or `*emphasis*`; a star beside a space is a star.
  package static func emphasis(_ text: Substring) -> InlineSpan? {
    guard text.first == "*" else { return nil }
    let mark = String(text.prefix(2).prefix { $0 == "*" })
    let start = text.dropFirst(mark.count)
    guard let first = start.first, first != " " else { return nil }
    let last = start.prefix(longest).endIndex
    var rest = start
    while rest.startIndex < last {
      if let code = code(rest) {
        rest = code.rest
      } else if rest.hasPrefix(mark), isEnd(rest.startIndex, of: start) {
        return InlineSpan(inside: start[..<rest.startIndex], rest: rest.dropFirst(mark.count))
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
    let end = text.prefix(longest).indices.first { index in
      depth += text[index] == "[" ? 1 : text[index] == "]" ? -1 : 0
      return depth == 0
    }
    guard let end, text[end...].hasPrefix("]("),
      let last = text[end...].prefix(longest).firstIndex(of: ")")
    else { return nil }
    let inside = text[text.index(after: text.startIndex)..<end]
    return InlineSpan(inside: inside, rest: text[text.index(after: last)...])
  }

  private static func isEnd(_ index: String.Index, of text: Substring) -> Bool {
    index > text.startIndex && text[text.index(before: index)] != " "
  }
}
