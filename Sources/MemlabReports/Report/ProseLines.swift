package import MemlabKit
package import TerminalText

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
    paragraph(sentence, indent: "", width: width).map { StyledText($0.plain, .emphasis) }
  }

  /// A point of a list; further lines are indented like its text.
  package static func item(_ text: String, indent: String, width: Int) -> [StyledText] {
    text.wrapped(to: width - indent.displayWidth - 2).enumerated().map { number, line in
      StyledText(indent + (number == 0 ? "- " : "  ") + line)
    }
  }

  /// A text in lines of at most this width, indented.
  package static func paragraph(_ text: String, indent: String, width: Int) -> [StyledText] {
    text.wrapped(to: width - indent.displayWidth).map { StyledText(indent + $0) }
  }
}
