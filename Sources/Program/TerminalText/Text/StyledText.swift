/// Text of which parts have a style, that knows its width and can be shown with or without colour.
///
///     let line: StyledText = "verdict: " + StyledText("LEAKS", .leaked)
///     line.rendered(color: terminal.usesColor)
package struct StyledText: Sendable, Equatable, ExpressibleByStringInterpolation {
  private struct Run: Sendable, Equatable {
    var text: String
    let style: Style?
  }

  private var runs: [Run] = []

  /// Makes text that is all in one style.
  ///
  /// - Parameters:
  ///   - text: The text, without control sequences.
  ///   - style: The style; `nil` leaves the text plain.
  package init(_ text: String, _ style: Style? = nil) {
    if !text.isEmpty { runs = [Run(text: text, style: style)] }
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
    return runs.map { run in
      run.style.map { ControlSequences.apply($0, to: run.text) } ?? run.text
    }.joined()
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
    var (first, second) = (StyledText(""), StyledText(""))
    var rest = count
    for run in runs {
      first += StyledText(String(run.text.prefix(rest)), run.style)
      second += StyledText(String(run.text.dropFirst(rest)), run.style)
      rest = max(0, rest - run.text.count)
    }
    return (first, second.withoutLeadingSpaces)
  }

  /// The text in lines that fit on a narrow terminal, broken at spaces; what follows the first line
  /// stands four columns further to the right.
  ///
  /// A terminal of 80 columns and more gets the line whole: what is longer there is a name of the
  /// reader's own code, to be copied.
  ///
  /// - Parameter width: the width in columns.
  package func foldedIfNarrow(to width: Int) -> [StyledText] {
    guard width < 80, self.width > width else { return [self] }
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
    let margin = String(repeating: " ", count: min(indent + 4, width / 2))
    return [first] + (StyledText(margin) + rest).foldedIfNarrow(to: width)
  }

  private var withoutLeadingSpaces: StyledText {
    var text = self
    while let first = text.runs.first {
      let trimmed = first.text.drop { $0 == " " }
      guard trimmed.isEmpty else {
        text.runs[0] = Run(text: String(trimmed), style: first.style)
        break
      }
      text.runs.removeFirst()
    }
    return text
  }

  /// One text after another.
  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var both = left
    for run in right.runs { both.append(run) }
    return both
  }

  /// Adds a text at the end of another.
  package static func += (left: inout StyledText, right: StyledText) { left = left + right }

  private mutating func append(_ run: Run) {
    if runs.last?.style == run.style, !runs.isEmpty {
      runs[runs.count - 1].text += run.text
    } else {
      runs.append(run)
    }
  }
}

/// What a piece of text is; colour only repeats what the words say.
package enum Style: Sendable, Equatable, CaseIterable {
  /// Something that stays alive.
  case leaked

  /// Something that was released.
  case clean

  /// A title.
  case heading

  /// Something that may be skipped.
  case dim

  /// Something to be noticed.
  case emphasis

  /// The parameters of the SGR control sequence (ECMA-48, 8.3.117).
  var parameters: String {
    switch self {
    case .leaked: "31"
    case .clean: "32"
    case .heading: "1;36"
    case .dim: "2"
    case .emphasis: "1"
    }
  }
}

/// Control sequences of terminals.
package enum ControlSequences {
  /// Puts a text in a style, line by line, so that each line is complete.
  package static func apply(_ style: Style, to text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "\u{1B}[\(style.parameters)m\($0)\u{1B}[0m" }
      .joined(separator: "\n")
  }
}
