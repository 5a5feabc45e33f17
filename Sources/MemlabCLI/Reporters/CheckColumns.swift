import MemlabKit

/// The columns of `memlab check`, as wide as what is going to stand in them.
///
/// Where the terminal is too narrow for all of them beside each other, the scenario's name goes first
/// and stands above its endings; then the verdict is left out, which what is left tells as well; then
/// what is left stands below its ending.
struct CheckColumns: Sendable {
  // "everything is gone", which stands in most lines. What is longer is wrapped.
  private static let remainderWidth = 18
  private let idWidth: Int
  private let endingWidth: Int
  private let width: Int

  /// Columns for these endings, in lines of at most a width.
  init(_ selection: [CheckSelection.Item], width: Int) {
    idWidth = max(selection.map(\.scenario.id.displayWidth).max() ?? 0, "scenario".count)
    endingWidth = max(selection.map(\.ending.name.displayWidth).max() ?? 0, "ending".count)
    self.width = width
  }

  /// What the marks mean, and what stands in which column.
  var heading: [StyledText] {
    let names =
      name("scenario")
      + row("  ", "scenario", "ending", "verdict", "what is left")
    return marks + [""] + names.map { StyledText($0.plain, .dim) }
  }

  private var marks: [StyledText] {
    let good = StyledText("✓", .clean) + " measured as declared, a leak shown on purpose included"
    let bad = StyledText("✗", .leaked) + " measured otherwise"
    let line = good + "; " + bad
    return line.width <= width
      ? [line]
      : [good, bad].flatMap { mark in
        let (first, rest) = mark.split(at: 2)
        return rest.plain.wrapped(to: width - 2).enumerated().map { number, line in
          (number == 0 ? first : "  ") + StyledText(line)
        }
      }
  }

  /// The line above a scenario's endings; none where each of them has its name.
  func name(_ scenario: String) -> [StyledText] {
    namesEachLine ? [] : scenario.folded(to: width - 2).map { StyledText("  " + $0) }
  }

  /// How an ending came out.
  ///
  /// - Parameter trial: what was measured; nil when it could not be.
  func lines(_ result: CheckResult, _ trial: TrialReport?) -> [StyledText] {
    let mark =
      result.status.isFailure ? StyledText("✗ ", .leaked) : StyledText("✓ ", .clean)
    let orders = result.schedules.map { " · \(ScheduleLines.shortExtent(of: $0))" } ?? ""
    return row(
      mark, result.scenario, result.ending, trial?.verdict.rawValue ?? "–",
      (trial.map(VerdictLines.remainder) ?? "not measured") + orders)
  }

  private var namesEachLine: Bool { fits(idWidth + 2, verdictWidth) }
  private var verdictWidth: Int { "verdict".count + 2 }

  private func fits(_ widths: Int...) -> Bool {
    let ending = 2 + endingWidth + 2
    return ending + widths.reduce(0, +) + Self.remainderWidth <= width
  }

  private func row(
    _ mark: StyledText, _ id: String, _ ending: String, _ verdict: String, _ rest: String
  ) -> [StyledText] {
    let name = namesEachLine ? id.padded(to: idWidth) + "  " : "  "
    let start = name + ending.padded(to: endingWidth) + "  "
    guard fits(2) else {
      return [mark + StyledText(name + ending)]
        + ProseLines.paragraph(rest, indent: "      ", width: width)
    }
    let showsVerdict = fits(2, verdictWidth)
    let head = mark + StyledText(start + (showsVerdict ? verdict.padded(to: verdictWidth) : ""))
    return rest.wrapped(to: width - head.width).enumerated().map { number, line in
      number == 0
        ? head + StyledText(line) : StyledText(String(repeating: " ", count: head.width) + line)
    }
  }
}
