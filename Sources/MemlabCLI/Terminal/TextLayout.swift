/// The side at which text stands in its column.
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
  ///   - alignment: The side the text stands at.
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
