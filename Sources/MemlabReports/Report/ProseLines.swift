package import MemlabKit
package import TerminalText

/// The sentences of a report: the explanation, and which of the document's claims hold.
package enum ProseLines {
  /// The scenario's explanation, unless something else was measured than what it explains.
  package static func explanation(of ending: Ending, _ trial: TrialReport, width: Int)
    -> [StyledText]
  {
    guard trial.asExpected, !ending.explanation.isEmpty else { return [] }
    return paragraph(ending.explanation, indent: "    ", width: width)
  }

  /// The document's sentences, and of each whether it holds.
  package static func claims(of trial: TrialReport, width: Int) -> [StyledText] {
    guard !trial.claims.isEmpty else { return [] }
    return ["    what the document says"]
      + trial.claims.flatMap { claim in
        let verdict = claim.holds ? "holds" : "does not hold"
        let reason = claim.because.map { " — \($0)" } ?? ""
        let lines = "\(verdict): “\(claim.text)”\(reason)".wrapped(to: width - 8)
        let first = String(lines[0].dropFirst(verdict.count))
        return ["      " + StyledText(verdict, .emphasis) + StyledText(first)]
          + lines.dropFirst().map { StyledText("        " + $0) }
      }
  }

  /// A remark about the whole run.
  package static func remark(_ sentence: String, width: Int) -> [StyledText] {
    paragraph(sentence, indent: "", width: width).map { StyledText($0.plain, .emphasis) }
  }

  /// What can be typed next, on one line, or on a line each where that is too wide.
  package static func commands(_ parts: [String], width: Int) -> [StyledText] {
    let line = parts.joined(separator: " · ")
    return (line.displayWidth <= width ? [line] : parts).map { StyledText($0, .dim) }
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
