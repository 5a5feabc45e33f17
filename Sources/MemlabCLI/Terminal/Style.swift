/// The part a piece of text plays; colour only repeats what the words say.
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

  /// The reference that keeps a leaked object alive.
  case guilty

  /// The parameters of the SGR control sequence (ECMA-48, 8.3.117).
  var parameters: String {
    switch self {
    case .leaked: "31"
    case .clean: "32"
    case .heading: "1;36"
    case .dim: "2"
    case .emphasis: "1"
    case .guilty: "4;31"
    }
  }
}

/// Control sequences of terminals.
package enum ControlSequences {
  /// Puts a text in a style, line by line, so that every line can stand alone.
  package static func apply(_ style: Style, to text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "\u{1B}[\(style.parameters)m\($0)\u{1B}[0m" }
      .joined(separator: "\n")
  }
}
