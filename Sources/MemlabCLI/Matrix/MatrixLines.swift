import MemlabKit

/// The patterns of one document against their endings.
struct MatrixLines {
  private let rows: [MatrixRow]
  private let idWidth: Int

  /// A table of these patterns; there must be one.
  init(_ rows: [MatrixRow]) {
    self.rows = rows
    idWidth = rows.map(\.scenario.id.displayWidth).max() ?? 0
  }

  /// The table, in parts with columns of their own where all endings do not fit beside each other.
  ///
  /// A pattern that is too wide alone stands above its endings, as many on a line as it has room for.
  func lines(width: Int) -> [StyledText] {
    let document = rows[0].scenario.document
    let title =
      StyledText(document.title, .heading) + StyledText(" (\(document.family))", .dim)
    let titleLines =
      title.width <= width
      ? [title]
      : ProseLines.paragraph(title.plain, indent: "", width: width).map {
        StyledText($0.plain, .heading)
      }
    let tables = parts(width: width).map { part in
      tableWidth(of: part) <= width ? table(of: part) : stack(part[0], width: width)
    }
    return titleLines + Array(tables.joined(separator: [""]))
  }

  /// What the cells mean.
  static func legend(width: Int) -> [StyledText] {
    let text =
      "2o+1t: 2 objects and 1 task stay alive · clean: everything is gone · race: updates are lost "
      + "· split: the values were shared out · !: not as declared"
    return ProseLines.paragraph(text, indent: "", width: width).map {
      StyledText($0.plain, .dim)
    }
  }

  private func parts(width: Int) -> [[MatrixRow]] {
    rows.reduce(into: []) { parts, row in
      let joined = (parts.last ?? []) + [row]
      if !parts.isEmpty, tableWidth(of: joined) <= width {
        parts[parts.count - 1] = joined
      } else {
        parts.append([row])
      }
    }
  }

  private func table(of part: [MatrixRow]) -> [StyledText] {
    let endings = Self.endings(of: part)
    var table = Table(columns: [.text()] + endings.map { _ in .text() })
    table.add(
      [StyledText(String(repeating: " ", count: idWidth))] + endings.map { StyledText($0) },
      style: .dim)
    for row in part { table.add([StyledText(row.scenario.id)] + endings.map(row.cell)) }
    return table.lines(indent: 2)
  }

  private func stack(_ row: MatrixRow, width: Int) -> [StyledText] {
    let name = row.scenario.id.folded(to: width - 2).map { StyledText("  " + $0) }
    return name
      + row.endings.inGroups { 4 + Self.width(of: $0, in: [row]) - 2 <= width }.flatMap { endings in
        var table = Table(columns: endings.map { _ in .text() })
        table.add(endings.map { StyledText($0) }, style: .dim)
        table.add(endings.map(row.cell))
        return table.lines(indent: 4)
      }
  }

  private func tableWidth(of part: [MatrixRow]) -> Int {
    2 + idWidth + Self.width(of: Self.endings(of: part), in: part)
  }

  /// What the columns of endings take, each with the space before it.
  private static func width(of endings: [String], in part: [MatrixRow]) -> Int {
    endings.reduce(0) { sum, ending in
      let cells = part.map { $0.cell(ending).width }
      return sum + 2 + max(ending.displayWidth, cells.max() ?? 0)
    }
  }

  private static func endings(of part: [MatrixRow]) -> [String] {
    part.flatMap(\.endings).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }
}

extension [String] {
  /// The elements in groups, each as large as it may be, and of one element at least.
  fileprivate func inGroups(while fits: ([String]) -> Bool) -> [[String]] {
    reduce(into: []) { groups, element in
      let joined = (groups.last ?? []) + [element]
      if !groups.isEmpty, fits(joined) {
        groups[groups.count - 1] = joined
      } else {
        groups.append([element])
      }
    }
  }
}
