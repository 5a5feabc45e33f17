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
      var line: StyledText = ""
      var space = 0
      for (cell, width) in zip(cells, widths) {
        space += 2
        if index < cell.count, cell[index].width > 0 {
          line += StyledText(String(repeating: " ", count: space)) + cell[index]
          space = width - cell[index].width
        } else {
          space += width
        }
      }
      return line
    }
  }

  /// The widest column gives way until all fit: down to its longest word, then beyond it.
  private func widths(within room: Int) -> [Int] {
    var widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].plain.displayWidth : 0 }.max() ?? 0
    }
    let least = (0..<columns).map { column in
      rows.flatMap { column < $0.count ? $0[column].plain.split(separator: " ") : [] }
        .map { String($0).displayWidth }.max() ?? 0
    }
    narrow(&widths, to: room, least: least)
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
