extension String {
  /// The text in lines of at most a width, broken at spaces and between wide characters.
  ///
  /// A word that is wider than a line stays whole, so that it can be copied. Closing marks of
  /// Chinese and Japanese never begin a line. Line breaks in the text are kept.
  ///
  /// - Parameter width: The width in columns.
  /// - Returns: The lines, at least one, without spaces at their ends.
  package func wrapped(to width: Int) -> [String] {
    if isOneLine(of: width) { return [self] }
    return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { Self.wrap($0, to: width) }
  }

  // Most lines fit. Looking at each of their characters took a tenth of the time of a whole check.
  private func isOneLine(of width: Int) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in utf8 {
      guard (0x20..<0x7F).contains(byte), byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return last != 0x20 && utf8.count <= width
  }

  private static func wrap(_ line: Substring, to width: Int) -> [String] {
    pieces(of: line).reduce(into: [""]) { lines, piece in
      let current = lines[lines.count - 1]
      let joined = current + (piece.followsSpace && !current.isEmpty ? " " : "") + piece.text
      let fits = current.isEmpty || joined.displayWidth <= width
      if fits { lines.removeLast() }
      lines.append(fits ? joined : piece.text)
    }
  }

  private typealias Piece = (text: String, followsSpace: Bool)

  /// The parts of a line between which it may be broken.
  private static func pieces(of line: Substring) -> [Piece] {
    line.split(separator: " ").flatMap { word in
      word.reduce(into: [Piece]()) { pieces, character in
        if let last = pieces.last?.text.last, !allowsBreak(between: last, and: character) {
          pieces[pieces.count - 1].text.append(character)
        } else {
          pieces.append((String(character), pieces.isEmpty))
        }
      }
    }
  }

  // Korean is written with spaces, so only ideographs and kana are broken anywhere.
  private static func allowsBreak(between last: Character, and next: Character) -> Bool {
    let opening = "（「『【〈《〔［｛"
    let closing = "、。，．）」』】〉》〕］｝！？：；・ーっゃゅょッャュョ々"
    if opening.contains(last) || closing.contains(next) { return false }
    return (last.isWide && !last.isHangul) || (next.isWide && !next.isHangul)
  }
}

extension Character {
  fileprivate var isHangul: Bool {
    guard let value = unicodeScalars.first?.value else { return false }
    return (0xAC00...0xD7A3).contains(value) || (0x1100...0x11FF).contains(value)
  }
}

extension String {
  /// The text in lines of at most a width; unlike `wrapped`, names are broken as well.
  ///
  /// A name is broken after a full stop, a hyphen or a colon, or else anywhere.
  ///
  /// - Parameter width: The width in columns, at least 2.
  package func folded(to width: Int) -> [String] {
    wrapped(to: width).flatMap { line in Self.fold(line, to: max(2, width)) }
  }

  private static func fold(_ line: String, to width: Int) -> [String] {
    var lines: [String] = []
    var rest = line[...]
    while String(rest).displayWidth > width {
      let most = rest.fitting(width)
      let end = most.lastIndex { ".-:".contains($0) }.map(most.index(after:)) ?? most.endIndex
      lines.append(String(rest[..<end]))
      rest = rest[end...]
    }
    return lines + [String(rest)]
  }
}

extension String {
  /// The number of columns the text takes on a terminal.
  ///
  /// Chinese, Japanese, Korean and emoji take two, combining marks and control characters none.
  package var displayWidth: Int {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// The number of columns the character takes on a terminal: 0, 1 or 2.
  package var displayWidth: Int {
    let emojiPresentation: Unicode.Scalar = "\u{FE0F}"
    if unicodeScalars.contains(emojiPresentation) { return 2 }
    return min(2, unicodeScalars.reduce(0) { $0 + $1.displayWidth })
  }

  /// Whether a line may be broken before the character without a space, as between ideographs.
  package var isWide: Bool { displayWidth == 2 }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if value < 0x300 { return isControl ? 0 : 1 }
    return isZeroWidth ? 0 : properties.isEmojiPresentation || isEastAsianWide ? 2 : 1
  }

  private var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }

  private var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: true
    default: false
    }
  }

  // The wide and fullwidth scripts of Unicode's EastAsianWidth.txt (UAX #11), emoji apart.
  private var isEastAsianWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// The side at which text is aligned in its column.
package enum Alignment: Sendable, Equatable {
  /// Text begins at the left edge.
  case left

  /// Text ends at the right edge, as numbers do.
  case right
}

extension String {
  /// The text filled up with spaces to a width; wider text stays as it is.
  ///
  /// - Parameters:
  ///   - width: The width in columns.
  ///   - alignment: The side at which the text is aligned.
  package func padded(to width: Int, _ alignment: Alignment = .left) -> String {
    let space = String(repeating: " ", count: max(0, width - displayWidth))
    return alignment == .left ? self + space : space + self
  }

  /// The text cut to a width, with `…` in the last column if something was cut.
  ///
  /// - Parameter width: The width in columns; the result is never wider.
  package func truncated(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 0 else { return "" }
    return fitting(width - 1) + "…"
  }
}

extension StringProtocol {
  /// The first characters, as many as have room in a width in columns.
  package func fitting(_ width: Int) -> SubSequence {
    var room = width
    return prefix { character in
      room -= character.displayWidth
      return room >= 0
    }
  }
}

/// So many spaces.
package func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

extension [String] {
  /// The width of the widest, in columns; 0 where there is none.
  package var widest: Int { map(\.displayWidth).max() ?? 0 }
}
