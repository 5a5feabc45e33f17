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
    var lines: [String] = []
    var current = ""
    for piece in pieces(of: line) {
      let joined = current + (piece.followsSpace && !current.isEmpty ? " " : "") + piece.text
      if current.isEmpty || joined.displayWidth <= width {
        current = joined
      } else {
        lines.append(current)
        current = piece.text
      }
    }
    return lines + [current]
  }

  private struct Piece {
    var text: String
    let followsSpace: Bool
  }

  /// The parts of a line between which it may be broken.
  private static func pieces(of line: Substring) -> [Piece] {
    line.split(separator: " ").flatMap { word in
      word.reduce(into: [Piece]()) { pieces, character in
        if let last = pieces.last?.text.last, !allowsBreak(between: last, and: character) {
          pieces[pieces.count - 1].text.append(character)
        } else {
          pieces.append(Piece(text: String(character), followsSpace: pieces.isEmpty))
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
      var room = width
      let most = rest.prefix { character in
        room -= character.displayWidth
        return room >= 0
      }
      let joint = most.lastIndex { ".-:".contains($0) }.map(most.index(after:))
      let end = joint ?? most.endIndex
      lines.append(String(rest[..<end]))
      rest = rest[end...]
    }
    return lines + [String(rest)]
  }
}
