package import MemlabKit
package import MemlabTerminalText

/// What an ending measured in many orders of the same jobs, for people.
package enum ScheduleLines {
  /// How many orders were run, what they measured, and the shortest that breaks the declaration.
  package static func lines(
    _ scenario: Scenario, _ ending: Ending, _ exploration: Exploration, program: String, width: Int
  ) -> [StyledText] {
    var lines = [
      StyledText("\(scenario.id), ending \(ending.name)", .emphasis),
      StyledText("  " + extent(of: exploration)),
    ]
    for outcome in exploration.outcomes { lines += self.lines(outcome, width: width) }
    for missing in exploration.missing {
      lines += ProseLines.paragraph("✗ " + missing.sentenceOfAbsence, indent: "  ", width: width)
    }
    if let breaking = exploration.breaking {
      let order = "  the shortest order that was found to break the declaration:"
      let name = ending.name.quotedForShell
      let words = "\(scenario.id) --ending \(name) --schedules replay:\(breaking)"
      lines += [StyledText(order, .dim), StyledText("    \(program) \(words)")]
    }
    if let remark = exploration.remark {
      lines += ProseLines.paragraph("! " + remark, indent: "  ", width: width)
    }
    return lines + [""]
  }

  /// How many orders were run, and whether there are more: "6 orders of up to 3 choices, and there
  /// are no others".
  private static func extent(of exploration: Exploration) -> String {
    let orders = counted(exploration.orders, "order")
    guard exploration.choices > 0 else { return "\(orders), and there is no other" }
    let others = exploration.isComplete ? "there are no others" : "there may be others"
    return "\(orders) of up to \(counted(exploration.choices, "choice")), and \(others)"
  }

  /// The same in a word or two, for a line that says other things as well.
  static func shortExtent(of exploration: Exploration) -> String {
    counted(exploration.orders, "order") + (exploration.isComplete ? "" : ", not all")
  }

  private static func lines(_ outcome: Exploration.Outcome, width: Int) -> [StyledText] {
    let mark = outcome.asExpected ? StyledText("✓", .clean) : StyledText("✗", .leaked)
    let manner = outcome.asExpected ? "as declared" : "otherwise"
    let verdict = outcome.measured.verdict?.rawValue ?? ""
    let orders = counted(outcome.orders, "order")
    let remark = outcome.measured.figures.joined(separator: ", ")
    return ["  " + mark + StyledText(" \(orders): \(verdict), \(manner)")]
      + (remark.isEmpty ? [] : ProseLines.paragraph(remark, indent: "      ", width: width))
      + outcome.differences.flatMap { ProseLines.item($0, indent: "      ", width: width) }
  }
}
