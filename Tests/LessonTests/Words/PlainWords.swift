import Foundation

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
    "(?<!there )(is|are) none": "is not one, or does not belong to it",
    "what is no|bears? (it|them) out|vouche[sd]|is no more|are no more": "the plain verb",
    "documents? 00[0-4]": "the document's title",
  ]

  // Foundation's expressions: all sources are searched, and those of Swift take seconds for that where
  // they are not optimised.
  private static let patterns = instead.compactMap { words, plain in
    let open = words.first?.isLetter == true || words.hasPrefix("(") ? "\\b" : ""
    let close = words.last == " " ? "" : "\\b"
    let pattern = "\(open)(?:\(words))\(close)"
    return (try? NSRegularExpression(pattern: pattern, options: .caseInsensitive))
      .map { (pattern: $0, plain: plain) }
  }

  /// How many of them can be searched for.
  static var patternCount: Int { patterns.count }

  /// Where a text has one of these words, with the number of its line, counted from 1.
  static func found(in text: String) -> [(line: Int, word: String, instead: String)] {
    patterns.flatMap { pattern, plain in
      let matches = pattern.matches(in: text, range: NSRange(text.startIndex..., in: text))
      return matches.compactMap { Range($0.range, in: text) }.map { range in
        (text[..<range.lowerBound].count(where: \.isNewline) + 1, String(text[range]), plain)
      }
    }.sorted { $0.0 < $1.0 }
  }
}
