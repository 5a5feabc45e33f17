extension String {
  /// The text in lines of at most a width; unlike `wrapped`, names are broken as well.
  ///
  /// A name is broken behind a full stop, a hyphen or a colon where it has one, else anywhere.
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
