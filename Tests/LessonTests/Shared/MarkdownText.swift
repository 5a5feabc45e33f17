import TestSupport

/// A Markdown text, its blocks of code and the lines outside of them.
struct MarkdownText {
  /// The path of the file from the root.
  let path: String
  /// All lines.
  private(set) var lines: [String]
  /// The blocks of code, in order.
  private(set) var blocks: [FencedBlock] = []
  /// The lines outside of blocks, with their numbers counted from 1.
  private(set) var prose: [(number: Int, text: String)] = []
  /// Fences that are never closed, or are not at the start of a line.
  private(set) var problems: [Problem] = []

  /// Reads a text.
  init(path: String, text: String) {
    self.path = path
    lines = text.newlineSeparated
    var index = 0
    while index < lines.count {
      if let fence = Fence(lines[index]) {
        index = readBlock(at: index, fence)
      } else {
        readProse(at: index)
        index += 1
      }
    }
  }

  /// The whole text.
  var text: String { lines.joined(separator: "\n") }

  /// Keeps a line; a block inside it, as in a quotation, would go unchecked.
  private mutating func readProse(at index: Int) {
    prose.append((index + 1, lines[index]))
    if lines[index].contains("```") || lines[index].contains("~~~") {
      let message = "a fence stands at the start of a line, to be checked"
      problems.append(Problem(file: path, line: index + 1, message: message))
    }
  }

  /// Reads the block that begins here and returns the index of the line after it.
  private mutating func readBlock(at opening: Int, _ fence: Fence) -> Int {
    guard let closing = lines[(opening + 1)...].firstIndex(where: fence.isClosed) else {
      problems.append(Problem(file: path, line: opening + 1, message: "this fence is not closed"))
      return lines.count
    }
    let width = fence.indentation.count
    let body = lines[(opening + 1)..<closing].map { line in
      String(line.dropFirst(min(width, line.prefix { $0 == " " }.count)))
    }
    blocks.append(
      FencedBlock(
        language: fence.info, comment: opening > 0 ? Self.comment(lines[opening - 1]) : nil,
        lines: body, opening: opening, indentation: fence.indentation))
    return closing + 1
  }

  private static func comment(_ line: String) -> String? {
    let text = line.trimmed
    guard text.hasPrefix("<!--"), text.hasSuffix("-->"), text.count >= 7 else { return nil }
    return text.dropFirst(4).dropLast(3).trimmed
  }

  /// The text with other lines in some blocks; nothing outside of those blocks changes.
  ///
  /// - Parameter renewed: The new lines, by the index of the block.
  func replacing(_ renewed: [Int: [String]]) -> String {
    var lines = lines
    // From the last to the first, so that the indices of what is to come stay right.
    for (index, body) in renewed.sorted(by: { $0.key > $1.key }) {
      let block = blocks[index]
      lines.replaceSubrange(block.body, with: body.map { $0.isEmpty ? "" : block.indentation + $0 })
    }
    return lines.joined(separator: "\n")
  }
}
