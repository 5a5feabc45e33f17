/// A positional argument of a command, as declared once for parsing, help and completions.
package struct ArgumentSpec: Sendable, Equatable {
  /// The name shown between angle brackets, without the brackets.
  package let name: String

  /// One sentence for the `ARGUMENTS:` section.
  package let help: String

  /// What the argument accepts.
  package let values: ValueRule

  /// Whether the argument may be left out.
  package let isOptional: Bool

  /// Whether the argument takes all the words that are left; only the last argument may.
  package let isRepeating: Bool

  /// Declares a positional argument.
  ///
  /// - Parameters:
  ///   - name: The name shown between angle brackets.
  ///   - help: One sentence.
  ///   - values: What is accepted.
  ///   - isOptional: Whether it may be left out.
  ///   - isRepeating: Whether it takes all the words that are left.
  package init(
    _ name: String,
    help: String,
    values: ValueRule = .text,
    isOptional: Bool = false,
    isRepeating: Bool = false
  ) {
    self.name = name
    self.help = help
    self.values = values
    self.isOptional = isOptional
    self.isRepeating = isRepeating
  }

  /// The argument as the `ARGUMENTS:` section and error sentences name it: `<scenario>`.
  package var label: String { "<\(name)>" }

  /// The argument as a usage line has it: `<scenario>`, `[<scenario>]` or `[<scenario> ...]`.
  package var synopsis: String {
    let repeated = isRepeating ? "\(label) ..." : label
    return isOptional ? "[\(repeated)]" : repeated
  }
}
