import MemlabSite
package import MemlabTerminalText
import MemlabWalk

/// A lesson laid out for a terminal.
package struct MarkdownPage {
  private let blocks: [MarkdownBlock]
  private let drawing: (String) -> [String]?

  /// Reads a lesson's text.
  ///
  /// - Parameter drawing: draws in lines of text what a command draws in Mermaid, for a terminal
  ///   shows no pictures; nil for a command that cannot be run here, whose Mermaid is shown as it
  ///   is.
  package init(_ text: String, drawing: @escaping (String) -> [String]? = { _ in nil }) {
    blocks = MarkdownBlock.blocks(of: text)
    self.drawing = drawing
  }

  /// The lesson in lines of at most a width; what programs print keeps its own lines, however long.
  package func lines(width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    for (index, block) in blocks.enumerated() {
      if index > 0, block.mark == nil || blocks[index - 1].mark == nil { lines.append("") }
      lines += self.lines(of: block, width: width)
    }
    return lines
  }

  private func lines(of block: MarkdownBlock, width: Int) -> [StyledText] {
    switch block {
    case .heading(let text, let level):
      Self.heading(InlineText(text).lines(width: width).map(\.plain), level: level)
    case .paragraph(let text): InlineText(text).lines(width: width)
    case .item(let text, let mark): Self.item(text, mark: mark, width: width)
    case .code(let lines, "mermaid", let command):
      Self.code(command.flatMap(drawing) ?? lines, "", width: width)
    case .code(let lines, let language, _): Self.code(lines, language, width: width)
    case .table(let rows): WrappedTable(rows).lines(width: width)
    }
  }

  private static func heading(_ lines: [String], level: Int) -> [StyledText] {
    let rule = String(repeating: level == 1 ? "═" : "─", count: lines.widest)
    return (level < 3 ? lines + [rule] : lines).map {
      StyledText($0, level == 1 ? .heading : .emphasis)
    }
  }

  private static func item(_ text: String, mark: String, width: Int) -> [StyledText] {
    InlineText(text).lines(width: width - mark.count - 3).hanging(behind: "  \(mark) ")
  }

  // A transcript is as wide as a page already: it gets a smaller margin instead of broken lines.
  private static func code(_ lines: [String], _ language: String, width: Int) -> [StyledText] {
    let margin = StyledText(spaces(max(0, min(4, width - lines.widest))))
    return lines.flatMap { line -> [StyledText] in
      guard !line.isEmpty else { return [""] }
      if language == "swift" {
        return BrokenLine.pieces(of: line, width: width).map { margin + $0 }
      }
      guard line.hasPrefix("$ ") else { return [margin + StyledText(line)] }
      let parts = line.displayWidth > width ? line.wrapped(to: width - 4) : [line]
      return parts.enumerated().map { margin + StyledText($0 == 0 ? $1 : "    " + $1, .emphasis) }
    }
  }
}

/// A table whose cells are broken into lines where the page is too narrow.
struct WrappedTable {
  private let rows: [[InlineText]]
  private let columns: Int

  /// A table of pieces of Markdown; its first row is the heading.
  init(_ rows: [[String]]) {
    self.rows = rows.map { $0.map(InlineText.init) }
    columns = rows.map(\.count).max() ?? 0
  }

  /// The table in lines of at most a width.
  func lines(width: Int) -> [StyledText] {
    let widths = widths(within: width - 2 * columns)
    return rows.enumerated().flatMap { index, row in
      let lines = self.lines(of: row, widths)
      guard index == 0 else { return lines }
      let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
      return lines.map { StyledText($0.plain, .emphasis) } + [StyledText("  " + rule, .dim)]
    }
  }

  private func lines(of row: [InlineText], _ widths: [Int]) -> [StyledText] {
    let cells = zip(row, widths).map { $0.foldedLines(width: $1) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { index in
      let line = cells.map { index < $0.count ? $0[index] : "" }
      return Table.line(line, Array(repeating: .text(), count: columns), widths, indent: 2)
    }
  }

  /// The widest column is made narrower until all fit: down to its longest word, then further.
  private func widths(within room: Int) -> [Int] {
    let cells: [[String]] = (0..<columns).map { column in
      rows.filter { column < $0.count }.map { $0[column].plain }
    }
    let words = cells.map { texts in texts.flatMap { $0.split(separator: " ").map(String.init) } }
    var widths = cells.map(\.widest)
    narrow(&widths, to: room, least: words.map(\.widest))
    narrow(&widths, to: room, least: widths.map { min($0, Self.narrowest) })
    return widths
  }

  private static let narrowest = 8

  private func narrow(_ widths: inout [Int], to room: Int, least: [Int]) {
    while widths.reduce(0, +) > room {
      let wide = widths.indices.filter { widths[$0] > least[$0] }.max { widths[$0] < widths[$1] }
      guard let wide else { break }
      widths[wide] -= 1
    }
  }
}
