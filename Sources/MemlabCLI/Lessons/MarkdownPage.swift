/// A lesson laid out for a terminal.
package struct MarkdownPage {
  private let blocks: [MarkdownBlock]

  /// Reads a lesson's text.
  package init(_ text: String) { blocks = MarkdownBlock.blocks(of: text) }

  /// The lesson in lines of at most a width; code keeps its own lines, however long.
  package func lines(width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    for (index, block) in blocks.enumerated() {
      if index > 0, !(block.isItem && blocks[index - 1].isItem) { lines.append("") }
      lines += Self.lines(of: block, width: width)
    }
    return lines
  }

  private static func lines(of block: MarkdownBlock, width: Int) -> [StyledText] {
    switch block {
    case .heading(let text, let level):
      heading(InlineText(text).lines(width: width).map(\.plain), level: level)
    case .paragraph(let text): InlineText(text).lines(width: width)
    case .item(let text, let mark): item(text, mark: mark, width: width)
    case .code(let lines, "mermaid"):
      code(FlowchartText(lines).lines ?? lines, "", width: width)
    case .code(let lines, let language): code(lines, language, width: width)
    case .table(let rows): WrappedTable(rows).lines(width: width)
    }
  }

  private static func heading(_ lines: [String], level: Int) -> [StyledText] {
    let style: Style = level == 1 ? .heading : .emphasis
    let rule = String(
      repeating: level == 1 ? "═" : "─", count: lines.map(\.displayWidth).max() ?? 0)
    return (level < 3 ? lines + [rule] : lines).map { StyledText($0, style) }
  }

  private static func item(_ text: String, mark: String, width: Int) -> [StyledText] {
    let indent = mark.count + 3
    return InlineText(text).lines(width: width - indent).enumerated().map { index, line in
      StyledText(index == 0 ? "  \(mark) " : String(repeating: " ", count: indent)) + line
    }
  }

  // A transcript is as wide as a page already; what would break moves to the left instead.
  private static func code(_ lines: [String], _ language: String, width: Int) -> [StyledText] {
    let longest = lines.map(\.displayWidth).max() ?? 0
    let margin = StyledText(String(repeating: " ", count: max(0, min(4, width - longest))))
    return lines.map { line in
      guard !line.isEmpty else { return "" }
      if language == "swift" { return margin + SwiftLine.styled(line) }
      return margin + StyledText(line, line.hasPrefix("$ ") ? .emphasis : nil)
    }
  }
}

extension MarkdownBlock {
  /// Whether this is a point of a list; points stand close together.
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
