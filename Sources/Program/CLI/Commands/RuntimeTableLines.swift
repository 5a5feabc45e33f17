import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// The table that the heap is read by, for `memlab doctor --verbose`: 80 columns.
enum RuntimeTableLines {
  private static let (name, value, source) = (24, 22, 28)

  /// A line for each row, and one for each thing that cannot be told.
  static func lines(of check: RuntimeTableCheck) -> [StyledText] {
    let title = StyledText("\nthe runtime table for \(check.column), with the files of its sources")
    return [title] + check.rows.map(line) + check.losses.map { StyledText($0, .leaked) }
  }

  private static func line(_ row: RuntimeTableCheck.Row) -> StyledText {
    let mark: StyledText =
      switch row.agrees {
      case true: StyledText("✓", .clean)
      case false: StyledText("✗", .leaked)
      case nil: "?"
      }
    let file = row.source.split(separator: "/").last.map(String.init) ?? row.source
    let cells = [(row.name, name), (row.value, value)].map { $0.truncated(to: $1).padded(to: $1) }
    return mark + StyledText(" " + cells.joined(separator: " ") + " " + file.truncated(to: source))
  }
}
