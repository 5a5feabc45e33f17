import MemlabKit

/// What came of an ending in many orders of the same jobs, for people.
enum ScheduleLines {
  /// How many orders there were, what came of them, and the shortest that breaks the declaration.
  static func lines(
    _ scenario: Scenario, _ ending: Ending, _ exploration: Exploration, width: Int
  ) -> [StyledText] {
    var lines = [
      StyledText("\(scenario.id), ending \(ending.name)", .emphasis),
      StyledText("  " + extent(of: exploration)),
    ]
    for outcome in exploration.outcomes {
      lines += self.lines(outcome, width: width)
    }
    for missing in exploration.missing {
      let sentence = "✗ " + missing.sentenceOfAbsence
      lines += ProseLines.paragraph(sentence, indent: "  ", width: width)
    }
    if let breaking = exploration.breaking {
      lines.append(
        StyledText("  the shortest order that was found to break the declaration:", .dim))
      let command = "memlab \(scenario.id) --ending \(ending.name) --schedules replay:\(breaking)"
      lines.append(StyledText("    \(command)"))
    }
    return lines + [""]
  }

  /// How many orders were run, and whether there are more: "6 orders of up to 3 choices, and there
  /// are no others".
  private static func extent(of exploration: Exploration) -> String {
    let orders = counted(exploration.orders, "order")
    guard exploration.choices > 0 else { return "\(orders), and there is no other" }
    let choices = "of up to \(counted(exploration.choices, "choice"))"
    return "\(orders) \(choices), "
      + (exploration.isComplete ? "and there are no others" : "and there may be others")
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
      + outcome.differences.flatMap {
        ProseLines.item($0, indent: "      ", width: width)
      }
  }
}
