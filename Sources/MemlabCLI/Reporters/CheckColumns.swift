import MemlabKit

/// The columns of `memlab check`, as wide as what is going to stand in them.
struct CheckColumns: Sendable {
  private let idWidth: Int
  private let endingWidth: Int

  /// Columns for these endings.
  init(_ selection: [CheckSelection.Item]) {
    idWidth = max(selection.map(\.scenario.id.displayWidth).max() ?? 0, "scenario".count)
    endingWidth = max(selection.map(\.ending.name.displayWidth).max() ?? 0, "ending".count)
  }

  /// What the marks mean, and what stands in which column.
  var heading: [StyledText] {
    let marks =
      StyledText("✓", .clean) + " measured as declared, a leak shown on purpose included; "
      + StyledText("✗", .leaked) + " measured otherwise"
    let names = row("  ", "scenario", "ending", "verdict", "what is left")
    return [marks, "", StyledText(names.plain, .dim)]
  }

  /// How an ending came out.
  func line(_ result: CheckResult, _ trial: TrialReport) -> StyledText {
    let mark =
      result.status.isFailure ? StyledText("✗ ", .leaked) : StyledText("✓ ", .clean)
    let orders = result.schedules.map { " · \(ScheduleLines.shortExtent(of: $0))" } ?? ""
    return row(
      mark, result.scenario, result.ending, trial.verdict.rawValue,
      VerdictLines.remainder(of: trial) + orders)
  }

  private func row(
    _ mark: StyledText, _ id: String, _ ending: String, _ verdict: String, _ rest: String
  ) -> StyledText {
    let names = "\(id.padded(to: idWidth))  \(ending.padded(to: endingWidth))"
    return mark + StyledText("\(names)  \(verdict.padded(to: "verdict".count))  \(rest)")
  }
}
