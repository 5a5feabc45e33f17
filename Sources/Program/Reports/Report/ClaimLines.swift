import MemlabKit
import MemlabTerminalText

/// What the document says, and of each of its claims whether it holds.
enum ClaimLines {
  /// The document's sentences, and of each whether it holds.
  static func lines(of trial: TrialReport, width: Int) -> [StyledText] {
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
}
