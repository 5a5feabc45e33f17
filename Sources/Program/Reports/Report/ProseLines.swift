package import MemlabKit
package import MemlabTerminalText

/// Sentences in lines: the explanation of an ending, remarks, points of a list.
package enum ProseLines {
  /// The scenario's explanation, unless something else was measured than what it explains.
  package static func explanation(
    of ending: Ending, _ trial: TrialReport, width: Int
  ) -> [StyledText] {
    guard trial.asExpected, !ending.explanation.isEmpty else { return [] }
    return paragraph(ending.explanation, indent: "    ", width: width)
  }

  /// A remark about the whole run.
  package static func remark(_ sentence: String, width: Int) -> [StyledText] {
    paragraph(sentence, width: width).map { StyledText($0.plain, .emphasis) }
  }

  /// A point of a list; further lines are indented like its text.
  package static func item(_ text: String, indent: String, width: Int) -> [StyledText] {
    text.wrapped(to: width - indent.displayWidth - 2).hanging(behind: StyledText(indent + "- "))
  }

  /// A text in lines of at most this width, indented.
  package static func paragraph(_ text: String, indent: String = "", width: Int) -> [StyledText] {
    text.wrapped(to: width - indent.displayWidth).map { StyledText(indent + $0) }
  }
}

/// What to type next.
package enum NextLines {
  /// The commands after a scenario: the next one, and what fixes it.
  ///
  /// - Parameters:
  ///   - scenario: what was run.
  ///   - program: the name of the program, as typed.
  ///   - width: the width of a line.
  package static func lines(after scenario: Scenario, program: String, width: Int) -> [StyledText] {
    let fix = scenario.fixedBy == scenario.next ? nil : scenario.fixedBy
    let parts = [("next", scenario.next), ("the fix", fix)].compactMap { word, id in
      id.map { "\(word): \(program) \($0)" }
    }
    return commands(parts.isEmpty ? ["next: \(program) list"] : parts, width: width)
  }

  /// What can be typed next, on one line, or on a line each where that is too wide.
  package static func commands(_ parts: [String], width: Int) -> [StyledText] {
    let line = parts.joined(separator: " · ")
    return (line.displayWidth <= width ? [line] : parts).map { StyledText($0, .dim) }
  }
}
