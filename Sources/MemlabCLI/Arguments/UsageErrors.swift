/// Words the errors that concern one command, or the program as a whole.
struct UsageErrors {
  private let usage: String
  private let invocation: String

  /// Words errors about one command.
  init(program: String, command: CommandSpec) {
    usage = command.usage(program: program)
    invocation = "\(program) \(command.name)"
  }

  /// Words errors about the program as a whole.
  init(table: CommandTable) {
    usage = table.usage
    invocation = table.program
  }

  /// A word is neither a command nor a scenario.
  func unknownWord(_ word: String, names: KnownNames) -> UsageError {
    error(
      "\(quoted(word)) is not a scenario or a command.",
      suggestions: nearest(to: word, among: names.commands + names.scenarios))
  }

  /// The command line can't be split into words and options.
  ///
  /// - Parameter options: The options that could have been meant.
  func sentence(for failure: Tokenizer.Failure, options: [OptionSpec]) -> UsageError {
    switch failure {
    case .unknownOption(let word):
      let names = options.map { "--\($0.name)" }
      return error("Unknown option \(quoted(word))", suggestions: nearest(to: word, among: names))
    case .missingValue(let option):
      return error("Missing value for '\(option.synopsis)'")
    case .unexpectedValue(let option, let value):
      return error(
        "The option '\(option.synopsis)' does not take any value, "
          + "but \(quoted(value)) was specified.")
    }
  }

  /// An option that takes one value was given more than once.
  func repeated(_ option: OptionSpec) -> UsageError {
    error("The option '\(option.synopsis)' was given more than once.")
  }

  /// An option does not accept its value.
  func invalid(
    _ value: String, for option: OptionSpec, expected rule: ValueRule
  ) -> UsageError {
    error("The value \(quoted(value)) is invalid for '\(option.synopsis)'. \(rule.advice)")
  }

  /// A positional argument does not accept its value.
  func invalid(_ value: String, for argument: ArgumentSpec, names: KnownNames) -> UsageError {
    switch argument.values {
    case .scenario:
      error(
        "\(quoted(value)) is not a scenario.",
        suggestions: nearest(to: value, among: names.scenarios))
    case .topic: unknownWord(value, names: names)
    default:
      error(
        "The value \(quoted(value)) is invalid for '\(argument.label)'. \(argument.values.advice)")
    }
  }

  /// A positional argument is missing.
  func missing(_ argument: ArgumentSpec) -> UsageError {
    error("Missing expected argument '\(argument.label)'")
  }

  /// There are more words than the command has arguments.
  func unexpected(_ words: [String]) -> UsageError {
    let listed = words.prefix(3).map(quoted).joined(separator: ", ")
    let rest = words.count > 3 ? " and \(words.count - 3) more" : ""
    return error(
      words.count == 1
        ? "Unexpected argument \(listed)" : "\(words.count) unexpected arguments: \(listed)\(rest)")
  }

  /// An error about the command or the program.
  func error(_ message: String, suggestions: [String] = []) -> UsageError {
    UsageError(message: message, suggestions: suggestions, usage: usage, invocation: invocation)
  }
}
