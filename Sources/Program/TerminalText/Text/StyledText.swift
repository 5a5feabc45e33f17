/// Text of which parts have a style, that knows its width and can be shown with or without colour.
///
///     let line: StyledText = "verdict: " + StyledText("LEAKS", .leaked)
///     line.rendered(color: terminal.usesColor)
package struct StyledText: Sendable, Equatable, ExpressibleByStringInterpolation {
  private struct Run: Sendable, Equatable {
    var text: String
    let style: TextStyle?
  }

  private var runs: [Run] = []

  /// Makes text that is all in one style.
  ///
  /// - Parameters:
  ///   - text: The text, a part of one line; what a terminal would obey is shown.
  ///   - style: The style; `nil` leaves the text plain.
  package init(_ text: String, _ style: TextStyle? = nil) {
    if !text.isEmpty { runs = [Run(text: text.shown(keeping: "\t"), style: style)] }
  }

  /// Makes plain text.
  package init(stringLiteral text: String) { self.init(text) }

  /// The text without styles.
  package var plain: String { runs.map(\.text).joined() }

  /// The width in columns.
  package var width: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }

  /// The text as bytes for a terminal or a file.
  ///
  /// - Parameter color: Whether to use control sequences.
  package func rendered(color: Bool) -> String {
    guard color else { return plain }
    return runs.map { run in run.style.map { $0.applied(to: run.text) } ?? run.text }.joined()
  }

  /// The text cut to a width, with `…` in the last column if something was cut.
  package func truncated(to width: Int) -> StyledText {
    guard self.width > width else { return self }
    var cut = StyledText("")
    for run in runs {
      let room = width - cut.width
      let isLast = run.text.displayWidth >= room
      // One more than there is room for, so that the mark is set.
      let text = isLast ? (run.text + "  ").truncated(to: room) : run.text
      cut.append(Run(text: text, style: run.style))
      if isLast { break }
    }
    return cut
  }

  /// The text in two parts, without the spaces at which they meet.
  ///
  /// - Parameter count: The number of characters of the first part, its spaces included.
  package func split(at count: Int) -> (StyledText, StyledText) {
    let gap = plain.dropFirst(count).prefix { $0 == " " }.count
    var (first, second, place) = (StyledText(""), StyledText(""), 0)
    for run in runs {
      first += StyledText(String(run.text.prefix(max(0, count - place))), run.style)
      second += StyledText(String(run.text.dropFirst(max(0, count + gap - place))), run.style)
      place += run.text.count
    }
    return (first, second)
  }

  /// The text in lines that fit on a narrow terminal, broken at spaces; what follows the first line
  /// stands four columns further to the right.
  ///
  /// A terminal of 80 columns and more gets the line whole: what is longer there is a name of the
  /// reader's own code, to be copied. A text of 4 KiB and more stays whole, too.
  ///
  /// - Parameter width: the width in columns.
  package func foldedIfNarrow(to width: Int) -> [StyledText] {
    guard width < 80, self.width > width, plain.utf8.count < 1 << 12 else { return [self] }
    let text = Array(plain)
    let indent = text.prefix { $0 == " " }.count
    var (room, end) = (width, 0)
    for (place, character) in text.enumerated() {
      room -= character.displayWidth
      // A name that is too long for any line stays whole, and a line of its own.
      if room < 0, end > 0 { break }
      if character == " ", place > indent { end = place }
    }
    guard end > 0 else { return [self] }
    let (first, rest) = split(at: end)
    guard rest.width > 0 else { return [first] }
    return [first]
      + (StyledText(spaces(min(indent + 4, width / 2))) + rest).foldedIfNarrow(to: width)
  }

  /// One text after another.
  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var both = left
    both += right
    return both
  }

  /// Adds a text at the end of another.
  package static func += (left: inout StyledText, right: StyledText) {
    for run in right.runs { left.append(run) }
  }

  private mutating func append(_ run: Run) {
    if !runs.isEmpty, runs[runs.count - 1].style == run.style {
      runs[runs.count - 1].text += run.text
    } else {
      runs.append(run)
    }
  }
}

extension [StyledText] {
  /// The lines with a head before the first, and the others as far to the right.
  package func hanging(behind head: StyledText) -> [StyledText] {
    let margin = StyledText(spaces(head.width))
    return enumerated().map { ($0 == 0 ? head : margin) + $1 }
  }
}

extension [String] {
  /// The same for lines without a style.
  package func hanging(behind head: StyledText) -> [StyledText] {
    map { StyledText($0) }.hanging(behind: head)
  }
}

/// What a piece of text is; colour only repeats what the words say.
///
/// The values are the parameters of the SGR control sequence (ECMA-48, 8.3.117).
package enum TextStyle: String, Sendable, CaseIterable {
  /// Something that stays alive.
  case leaked = "31"

  /// Something that was released.
  case clean = "32"

  /// A title.
  case heading = "1;36"

  /// Something that may be skipped.
  case dim = "2"

  /// Something to be noticed.
  case emphasis = "1"

  /// A text in this style.
  package func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
