import MemlabKit

/// The document's sentences, ticked or crossed, with the reason.
enum ClaimsPart {
  static func markup(for trial: TrialReport) -> Markup? {
    guard !trial.claims.isEmpty else { return nil }
    return Markup([
      Markup("h5") { "What the document says" },
      Markup("ul", ["class": "claims"]) {
        for claim in trial.claims { item(claim) }
      },
    ])
  }

  private static func item(_ claim: ClaimResult) -> Markup {
    Markup("li", ["class": claim.holds ? "holds" : "fails"]) {
      Markup("span", ["class": "mark", "aria-hidden": "true"]) { claim.holds ? "✓" : "✗" }
      Markup("div") {
        Markup("p") {
          Markup("q") { claim.text }
          claim.holds ? " holds." : " does not hold."
          if !claim.holds { claim.because.map { " " + $0.asSentence } }
        }
        Markup("p", ["class": "original", "lang": claim.original.likelyLanguage]) { claim.original }
      }
    }
  }
}

extension String {
  /// The text with a capital at its beginning and a full stop at its end.
  fileprivate var asSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }

  /// The language that a text's letters speak for, so that it is shown and read aloud as such.
  fileprivate var likelyLanguage: String? {
    let letters = unicodeScalars.map(\.value)
    if letters.contains(where: { (0xAC00...0xD7A3).contains($0) }) { return "ko" }
    if letters.contains(where: { (0x3041...0x30FF).contains($0) }) { return "ja" }
    return letters.contains { (0x4E00...0x9FFF).contains($0) } ? "zh" : nil
  }
}
