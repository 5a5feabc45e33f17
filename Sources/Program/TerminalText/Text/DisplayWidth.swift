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
    if isZeroWidth { return 0 }
    return properties.isEmojiPresentation || isEastAsianWide ? 2 : 1
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
    var room = width - 1
    let kept = prefix { character in
      room -= character.displayWidth
      return room >= 0
    }
    return kept + "…"
  }
}
