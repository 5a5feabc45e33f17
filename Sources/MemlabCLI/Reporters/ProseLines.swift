import MemlabKit

/// The sentences of a report: why it is so, and what became of the document's claims.
enum ProseLines {
  /// The scenario's explanation, unless something else was measured than what it explains.
  static func explanation(of ending: Ending, _ trial: TrialReport, width: Int) -> [StyledText] {
    guard trial.asExpected else { return [] }
    return paragraph(ending.explanation, indent: "    ", width: width)
  }

  /// The document's sentences with a tick or a cross each.
  static func claims(of trial: TrialReport, width: Int) -> [StyledText] {
    trial.claims.flatMap { claim in
      let mark = claim.holds ? StyledText("✓ ", .clean) : StyledText("✗ ", .leaked)
      let reason = claim.because.map { " — \($0)" } ?? ""
      let lines = paragraph("“\(claim.text)”\(reason)", indent: "      ", width: width)
      return ["    " + mark + StyledText(String(lines[0].plain.dropFirst(6)))] + lines.dropFirst()
    }
  }

  /// A text in lines of at most this width, indented.
  static func paragraph(_ text: String, indent: String, width: Int) -> [StyledText] {
    text.wrapped(to: width - indent.displayWidth).map { StyledText(indent + $0) }
  }
}
