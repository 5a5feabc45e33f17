/// Words that readers stumble over, with the plain word to write instead.
///
/// The list is short on purpose: it has the words that once stood in many places.
enum PlainWords {
  /// The plain words, by the pattern of what they replace.
  static let instead: KeyValuePairs<String, String> = [
    "whoever|whomever": "someone who, code that, or the name of the thing",
    "mend|mends|mended|mending": "fix",
    "(is|are|be|was|were|being) taken for": "counts as",
    "(let|lets|letting) go of": "release",
    "(stands?|standing|stood) still": "makes no progress",
    "for ever": "forever",
    "none that": "say what it is",
    "the like": "name the things",
    "thereby|therein|thereof|hence|lest|nought|aught|upon": "by this, so, in case, nothing, on",
    ", for (it|they|he|she|there) ": "because",
    "documents? 00[0-4]": "the document's title",
  ]

  /// Where a text has one of these words, with the number of its line, counted from 1.
  static func found(in text: String) throws -> [(line: Int, word: String, instead: String)] {
    let patterns = try instead.map { words, plain in
      let open = words.first?.isLetter == true || words.hasPrefix("(") ? "\\b" : ""
      let close = words.last == " " ? "" : "\\b"
      return (try Regex("\(open)(?:\(words))\(close)").ignoresCase(), plain)
    }
    return zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false))
      .flatMap { number, line in
        patterns.compactMap { pattern, plain in
          line.firstMatch(of: pattern).map { (number, String(line[$0.range]), plain) }
        }
      }
  }
}
