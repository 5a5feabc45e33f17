/// A table whose columns are as wide as their widest cell.
///
///     var table = Table(columns: [.text(), .number(), .number()])
///     table.add(["object", "created", "alive"], style: .dim)
///     table.add(["Repo", "1", StyledText("1", .leaked)])
///     for line in table.lines(indent: 4) { … }
package struct Table: Sendable {
  /// How the cells of a column are aligned.
  package struct Column: Sendable, Equatable {
    /// The side at which cells are aligned.
    package let alignment: Alignment

    /// The number of spaces before the column; the first column has none.
    package let gutter: Int

    /// A column of words.
    package static func text(gutter: Int = 2) -> Column { Column(alignment: .left, gutter: gutter) }

    /// A column of numbers, aligned at the right like its headers.
    package static func number(gutter: Int = 2) -> Column {
      Column(alignment: .right, gutter: gutter)
    }
  }

  private let columns: [Column]
  private var rows: [[StyledText]] = []

  /// Makes an empty table.
  package init(columns: [Column]) { self.columns = columns }

  /// Adds a row; headers are rows, and several may share one table's columns.
  ///
  /// - Parameters:
  ///   - cells: The cells from the left; missing ones are empty. More cells than columns trap.
  ///   - style: A style for the whole row, instead of the cells' own.
  package mutating func add(_ cells: [StyledText], style: TextStyle? = nil) {
    precondition(cells.count <= columns.count, "a row has more cells than the table has columns")
    rows.append(style.map { style in cells.map { StyledText($0.plain, style) } } ?? cells)
  }

  /// The rows as lines, without spaces at their ends.
  ///
  /// - Parameter indent: The number of spaces before each line.
  package func lines(indent: Int = 0) -> [StyledText] {
    let widths = columns.indices.map { index in
      rows.map { index < $0.count ? $0[index].width : 0 }.max() ?? 0
    }
    return rows.map { Self.line($0, columns, widths, indent: indent) }
  }

  /// One line of a table with these columns.
  ///
  /// Spaces are held back until a cell with text follows, so that none are left at the end.
  package static func line(
    _ row: [StyledText], _ columns: [Column], _ widths: [Int], indent: Int
  ) -> StyledText {
    var line: StyledText = ""
    var space = indent
    for (index, cell) in row.enumerated() {
      space += index == 0 ? 0 : columns[index].gutter
      let fill = widths[index] - cell.width
      let isLeft = columns[index].alignment == .left
      if cell.width > 0 {
        line += StyledText(spaces(space + (isLeft ? 0 : fill))) + cell
        space = isLeft ? fill : 0
      } else {
        space += widths[index]
      }
    }
    return line
  }
}
