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
