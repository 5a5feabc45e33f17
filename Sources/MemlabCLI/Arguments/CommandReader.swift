/// Reads the words that belong to one command and checks them against its declaration.
struct CommandReader {
  private let command: CommandSpec
  private let program: String
  private let names: KnownNames
  private let errors: UsageErrors

  /// Makes a reader for one command.
  init(command: CommandSpec, program: String, names: KnownNames) {
    self.command = command
    self.program = program
    self.names = names
    errors = UsageErrors(program: program, command: command)
  }

  /// Reads the words of the command line, the command's name left out.
  func read(_ words: [String]) throws(UsageError) -> Invocation {
    var positionals: [String] = []
    var given: [String: [String]] = [:]
    for token in try tokens(of: words) {
      switch token {
      case .word(let word, _): positionals.append(word)
      case .option(let option, let value): try add(value, of: option, to: &given)
      }
    }
    try check(positionals)
    if let missing = command.options.first(where: { $0.isRequired && given[$0.name] == nil }) {
      throw errors.missing(missing)
    }
    return Invocation(spec: command, program: program, positionals: positionals, given: given)
  }

  private func tokens(of words: [String]) throws(UsageError) -> [Tokenizer.Token] {
    var tokenizer = Tokenizer(words, options: command.allOptions)
    var tokens: [Tokenizer.Token] = []
    do {
      while let token = try tokenizer.next() { tokens.append(token) }
    } catch {
      throw errors.sentence(for: error, options: command.allOptions)
    }
    return tokens
  }

  private func add(
    _ value: String?, of option: OptionSpec, to given: inout [String: [String]]
  ) throws(UsageError) {
    if given[option.name] != nil, !option.isRepeating { throw errors.repeated(option) }
    if let value, !option.values.accepts(value, names: names) {
      throw errors.invalid(value, for: option, expected: option.values)
    }
    given[option.name, default: []] += value.map { [$0] } ?? []
  }

  private func check(_ positionals: [String]) throws(UsageError) {
    let required = command.arguments.prefix { !$0.isOptional }
    if positionals.count < required.count {
      throw errors.missing(required[positionals.count])
    }
    if command.arguments.last?.isRepeating != true, positionals.count > command.arguments.count {
      throw errors.unexpected(Array(positionals[command.arguments.count...]))
    }
    for (index, word) in positionals.enumerated() {
      let argument = command.arguments[min(index, command.arguments.count - 1)]
      guard argument.values.accepts(word, names: names) else {
        throw errors.invalid(word, for: argument, names: names)
      }
    }
  }
}
