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
  func lines(width: Int) -> [StyledText] {
    let document = rows[0].scenario.document
    let title =
      StyledText(document.title, .heading) + StyledText(" (\(document.family))", .dim)
    return [title] + Array(parts(width: width).map(table).joined(separator: [""]))
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

  private func tableWidth(of part: [MatrixRow]) -> Int {
    2 + idWidth
      + Self.endings(of: part).reduce(0) { sum, ending in
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
