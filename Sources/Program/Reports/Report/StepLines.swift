import MemlabKit
import MemlabTerminalText

/// A step in the text report: what is done at the left, its effects at the right.
enum StepLines {
  private static let changeColumn = 42
  // With less, only short names have room at the right.
  private static let leastWidth = changeColumn + 30

  /// A step, with what it changed beside it or, where the line is too narrow, below it.
  static func lines(for record: StepRecord, width: Int) -> [StyledText] {
    let text = "    \(record.index) \(record.text)"
    guard width >= leastWidth else {
      return [StyledText(text)] + rows(of: record.changes, width: width - 8).map { "        " + $0 }
    }
    let changes = rows(of: record.changes, width: width - changeColumn)
    let fits = text.displayWidth + 2 <= changeColumn
    let margin = String(repeating: " ", count: changeColumn)
    var lines = changes.enumerated().map { index, row in
      StyledText(index == 0 && fits ? text.padded(to: changeColumn) : margin) + row
    }
    if !fits { lines.insert(StyledText(text), at: 0) }
    return lines
  }

  /// The changes of a step, as many on a line as it has room for.
  static func rows(of changes: [String], width: Int) -> [StyledText] {
    changes.reduce(into: [StyledText]()) { rows, change in
      let styled = StyledText(change, style(of: change))
      if let last = rows.last, last.width + 2 + styled.width <= width {
        rows[rows.count - 1] = last + "  " + styled
      } else {
        rows.append(styled)
      }
    }
  }

  private static func style(of change: String) -> Style? {
    if change.hasPrefix("- ") { return .clean }
    return change.hasPrefix("nothing ") ? .dim : nil
  }
}
