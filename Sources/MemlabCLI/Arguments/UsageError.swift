/// A command line that can't be understood; nothing has been run.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, naming the argument or option and what was typed.
  package let message: String

  /// At most three names that are close to what was typed, the closest first.
  package let suggestions: [String]

  /// The usage of the command concerned, without a heading; more lines are indented.
  package let usage: String

  /// The program and the command concerned, as typed: `memlab run`.
  package let invocation: String

  /// Makes an error; the parser makes most, commands make those that only they can find.
  package init(message: String, suggestions: [String] = [], usage: String, invocation: String) {
    self.message = message
    self.suggestions = suggestions
    self.usage = usage
    self.invocation = invocation
  }

  /// The code the program ends with.
  package var exitCode: ExitCode { .usage }

  /// The text for standard error: error, usage and where to read more, each on its line.
  package var description: String {
    """
    Error: \(message)\(question)
    Usage: \(usage)
      See '\(invocation) --help' for more information.

    """
  }

  private var question: String {
    guard let last = suggestions.last else { return "" }
    let others = suggestions.dropLast().map { "'\($0)'" }.joined(separator: ", ")
    let names = others.isEmpty ? "'\(last)'" : "\(others) or '\(last)'"
    return "\(message.hasSuffix(".") ? "" : ".") Did you mean \(names)?"
  }
}
