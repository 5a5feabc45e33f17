/// A part of a lesson's text.
enum MarkdownBlock: Equatable {
  /// A heading, and how deep.
  case heading(String, level: Int)
  /// A paragraph.
  case paragraph(String)
  /// A point of a list, with what stands before it: `-` or `1.`.
  case item(String, mark: String)
  /// Code or a transcript, with the word behind the fence.
  case code([String], language: String)
  /// A table, its first row the heading.
  case table([[String]])

  /// The parts of a text. Comments are left out.
  static func blocks(of text: String) -> [MarkdownBlock] {
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
  private var code: (lines: [String], language: String)?
  private var isInComment = false
  // Whether the next line of text belongs to the last block.
  private var isOpen = false

  mutating func read(_ line: String) {
    if let open = code {
      if line.hasPrefix("```") {
        blocks.append(.code(open.lines, language: open.language))
        code = nil
      } else {
        code?.lines.append(line)
      }
    } else if line.hasPrefix("```") {
      code = ([], String(line.dropFirst(3)))
      isOpen = false
    } else if isInComment || line.hasPrefix("<!--") {
      isInComment = !line.hasSuffix("-->")
    } else {
      readText(line)
    }
  }

  func finish() -> [MarkdownBlock] {
    code.map { blocks + [.code($0.lines, language: $0.language)] } ?? blocks
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
