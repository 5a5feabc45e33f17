import MemlabKit

/// Two scenarios side by side, in the width of the terminal.
struct ComparisonColumns {
  private let nameWidth: Int
  private let valueWidth: Int

  /// Columns for a page of this width.
  init(width: Int) {
    valueWidth = max(12, (width - 4) / 3)
    nameWidth = max(12, width - 4 - 2 * valueWidth)
  }

  /// Which scenario stands at which side.
  func heading(_ left: Scenario, _ right: Scenario) -> [StyledText] {
    zipped(left.id, right.id).map { row("", $0, $1, style: .heading) }
      + zipped(left.title, right.title).map { row("", $0, $1, style: .dim) }
  }

  /// What one ending has come to at both sides.
  func lines(_ ending: Ending, _ comparison: Comparison) -> [StyledText] {
    [StyledText("ending \(ending.name): ", .emphasis) + StyledText(ending.title)]
      + comparison.rows.flatMap(lines)
  }

  /// The endings that only one of the scenarios has.
  func unmatched(_ left: Scenario, _ right: Scenario) -> [StyledText] {
    let lines = [(left, right), (right, left)].compactMap { one, other -> StyledText? in
      let names = one.endings.map(\.name).filter { !other.endings.map(\.name).contains($0) }
      guard !names.isEmpty else { return nil }
      return StyledText("only \(one.id) has: \(names.joined(separator: ", "))", .dim)
    }
    return (lines.isEmpty ? [] : [""]) + lines
  }

  private func lines(for row: Comparison.Row) -> [StyledText] {
    let names = row.name.folded(to: nameWidth - 4)
    let values = zipped(row.left, row.right)
    return (0..<max(names.count, values.count)).map { index in
      let name = index < names.count ? (index == 0 ? "  " : "    ") + names[index] : ""
      let (left, right) = index < values.count ? values[index] : ("", "")
      return self.row(
        name, left, right, mark: index == 0 && !row.isEqual ? "≠" : " ",
        style: row.isEqual ? .dim : nil)
    }
  }

  private func row(
    _ name: String, _ left: String, _ right: String, mark: String = " ", style: Style? = nil
  ) -> StyledText {
    let margin = StyledText(name.padded(to: nameWidth) + " ", style == .dim ? .dim : nil)
    guard !right.isEmpty || mark != " " else {
      return left.isEmpty ? StyledText(name) : margin + StyledText(left, style)
    }
    let gap = left.padded(to: valueWidth + 1).dropFirst(left.count)
    return margin + StyledText(left, style) + StyledText(String(gap))
      + StyledText(mark, .emphasis) + " " + StyledText(right, style)
  }

  private func zipped(_ left: String, _ right: String) -> [(String, String)] {
    let (left, right) = (left.folded(to: valueWidth), right.folded(to: valueWidth))
    return (0..<max(left.count, right.count)).map { index in
      (index < left.count ? left[index] : "", index < right.count ? right[index] : "")
    }
  }
}
