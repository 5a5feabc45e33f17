/// A block of code in a Markdown text, between two fences.
struct FencedBlock: Equatable {
  /// The word after the opening fence: `console`, `swift`.
  var language: String
  /// What the HTML comment in the line above the opening fence says.
  var comment: String?
  /// The lines between the fences, without the indentation of the opening fence.
  var lines: [String]
  /// The index of the line of the opening fence, counted from 0.
  var opening: Int
  /// The spaces before the opening fence.
  var indentation: String

  /// The number of the line with this index in the block, counted from 1 in the whole text.
  func lineNumber(_ index: Int = -1) -> Int { opening + index + 2 }

  /// The indices of the lines between the fences, in the whole text.
  var body: Range<Int> { (opening + 1)..<(opening + 1 + lines.count) }
}

/// An opening fence: what it takes to close it.
struct Fence {
  /// The spaces before it.
  let indentation: String
  /// Three or more backticks or tildes.
  let ticks: Substring
  /// What follows, without spaces around it.
  let info: String

  /// Reads a line; nil if it is not a fence.
  init?(_ line: String) {
    let text = line.drop { $0 == " " }
    guard let tick = text.first, tick == "`" || tick == "~" else { return nil }
    ticks = text.prefix { $0 == tick }
    info = text.dropFirst(ticks.count).trimmed
    guard ticks.count >= 3, !info.contains("`") else { return nil }
    indentation = String(repeating: " ", count: line.count - text.count)
  }

  /// Whether the line closes the block that this fence has opened.
  func isClosed(by line: String) -> Bool {
    guard let other = Fence(line) else { return false }
    return other.info.isEmpty && other.ticks.hasPrefix(ticks)
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
  }
}
