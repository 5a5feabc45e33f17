package import MemlabTerminalText

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
    (self.suggestions, self.usage, self.invocation) = (suggestions, usage, invocation)
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

/// Words the errors that concern one command, or the program as a whole.
struct UsageErrors {
  private let usage, invocation, program: String
  private let takesFamily: Bool

  /// Words errors about one command.
  init(program: String, command: CommandSpec) {
    (usage, self.program) = (command.usage(program: program), program)
    invocation = "\(program) \(command.name)"
    takesFamily = command.options.contains { $0.name == "family" }
  }

  /// Words errors about the program as a whole.
  init(table: CommandTable) {
    (usage, invocation, program) = (table.usage, table.program, table.program)
    takesFamily = false
  }

  /// A word is neither a command nor a scenario.
  func unknownWord(_ word: String, names: KnownNames) -> UsageError {
    // A command's name gets here only after `--`, where it does not mean the command.
    unknown(word, "a scenario or a command", among: names.commands + names.scenarios, names)
  }

  /// A word is a command of other programs of this kind.
  func absent(_ word: String) -> UsageError {
    error("\(quoted(word)) is a command of memlab itself, which \(program) does not have.")
  }

  private func unknown(
    _ word: String, _ kind: String, among known: [String], _ names: KnownNames
  ) -> UsageError {
    guard !names.families.contains(word) else {
      let advice = takesFamily ? "Give '--family \(word)'." : "See '\(program) matrix \(word)'."
      return error("\(quoted(word)) is a family of scenarios, and not one of them. \(advice)")
    }
    if names.commands.contains(word), !known.contains(word) {
      return error(
        "\(quoted(word)) is a command, and not \(kind). See '\(program) \(word) --help'.")
    }
    if (1...2).contains(word.count), word.allSatisfy(\.isNumber),
      let advice = advice(for: word, names)
    {
      return error("\(quoted(word)) is not \(kind). \(advice)")
    }
    let suggestions = nearest(to: word, among: known)
    let advice = suggestions.isEmpty ? " See '\(program) list'." : ""
    return error("\(quoted(word)) is not \(kind).\(advice)", suggestions: suggestions)
  }

  // Of the verbs for scenarios, these are verbs for exercises, too.
  private static let exerciseVerbs = ["hint", "walk"]

  // Who types a number means a lesson or an exercise.
  private func advice(for number: String, _ names: KnownNames) -> String? {
    guard names.commands.contains("exercise") else { return nil }
    guard let verb = Self.exerciseVerbs.first(where: { invocation == "\(program) \($0)" }) else {
      return "Lessons and exercises have numbers: '\(program) lesson \(number)', "
        + "'\(program) exercise \(number)'."
    }
    return "Exercises have numbers: '\(program) exercise \(verb) \(number)'."
  }

  /// A word begins with a dash and is no option.
  ///
  /// - Parameter options: The options that could have been meant.
  func unknownOption(_ word: String, options: [OptionSpec]) -> UsageError {
    let suggestions = nearest(to: word, among: options.map { "--\($0.name)" })
    return error("Unknown option \(quoted(word))", suggestions: suggestions)
  }

  /// An option that needs a value is the last word.
  func missingValue(of option: OptionSpec) -> UsageError {
    error("Missing value for '\(option.synopsis)'")
  }

  /// An option that has no value was given one.
  func unexpectedValue(_ value: String, of option: OptionSpec) -> UsageError {
    error(
      "The option '\(option.synopsis)' does not take any value, "
        + "but \(quoted(value)) was specified.")
  }

  /// An option that takes one value was given more than once.
  func repeated(_ option: OptionSpec) -> UsageError {
    error("The option '\(option.synopsis)' was given more than once.")
  }

  /// An option does not accept its value.
  func invalid(_ value: String, for option: OptionSpec, expected rule: ValueRule) -> UsageError {
    error("The value \(quoted(value)) is invalid for '\(option.synopsis)'. \(rule.advice)")
  }

  /// A positional argument does not accept its value.
  func invalid(_ value: String, for argument: ArgumentSpec, names: KnownNames) -> UsageError {
    switch argument.values {
    case .scenario: return unknown(value, "a scenario", among: names.scenarios, names)
    case .topic: return unknownWord(value, names: names)
    default:
      let advice = argument.values.advice
      return error(
        "The value \(quoted(value)) is invalid for '\(argument.label)'. \(advice)",
        suggestions: nearest(to: value, among: argument.values.listedValues))
    }
  }

  /// A positional argument or a required option is missing.
  ///
  /// - Parameter name: What error sentences call it.
  func missing(_ name: String) -> UsageError { error("Missing expected argument '\(name)'") }

  /// There are more words than the command has arguments.
  func unexpected(_ words: [String]) -> UsageError {
    guard words.count > 1 else { return error("Unexpected argument \(quoted(words[0]))") }
    let listed = words.prefix(3).map(quoted).joined(separator: ", ")
    let rest = words.count > 3 ? " and \(words.count - 3) more" : ""
    return error("\(words.count) unexpected arguments: \(listed)\(rest)")
  }

  /// An error about the command or the program.
  func error(_ message: String, suggestions: [String] = []) -> UsageError {
    UsageError(message: message, suggestions: suggestions, usage: usage, invocation: invocation)
  }
}
