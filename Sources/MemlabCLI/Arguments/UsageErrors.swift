/// Words the errors that concern one command, or the program as a whole.
struct UsageErrors {
  private let usage: String
  private let invocation: String
  private let program: String
  private let takesFamily: Bool

  /// Words errors about one command.
  init(program: String, command: CommandSpec) {
    usage = command.usage(program: program)
    invocation = "\(program) \(command.name)"
    self.program = program
    takesFamily = command.options.contains { $0.name == "family" }
  }

  /// Words errors about the program as a whole.
  init(table: CommandTable) {
    usage = table.usage
    invocation = table.program
    program = table.program
    takesFamily = false
  }

  /// A word is neither a command nor a scenario.
  func unknownWord(_ word: String, names: KnownNames) -> UsageError {
    unknown(word, "a scenario or a command", among: names.commands + names.scenarios, names)
  }

  private func unknown(
    _ word: String, _ kind: String, among known: [String], _ names: KnownNames
  ) -> UsageError {
    guard !names.families.contains(word) else {
      let advice = takesFamily ? "Give '--family \(word)'." : "See '\(program) matrix \(word)'."
      return error("\(quoted(word)) is a family of scenarios, and not one of them. \(advice)")
    }
    let suggestions = nearest(to: word, among: known)
    let advice = suggestions.isEmpty ? " See '\(program) list'." : ""
    return error("\(quoted(word)) is not \(kind).\(advice)", suggestions: suggestions)
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
      unknown(value, "a scenario", among: names.scenarios, names)
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

  /// An option that has to be given is missing.
  func missing(_ option: OptionSpec) -> UsageError {
    error("Missing expected argument '\(option.synopsis)'")
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
