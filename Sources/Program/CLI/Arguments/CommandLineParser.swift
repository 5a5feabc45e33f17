/// Turns a command line into a checked request, or into an error that helps.
package struct CommandLineParser: Sendable {
  /// The program's commands.
  let table: CommandTable
  private let names: KnownNames

  /// Makes a parser.
  ///
  /// - Parameters:
  ///   - table: The program's commands.
  ///   - scenarios: The ids of all scenarios.
  ///   - families: What scenarios can be called together.
  package init(table: CommandTable, scenarios: [String], families: [String] = []) {
    self.table = table
    names = KnownNames(
      commands: table.commands.map(\.name), scenarios: scenarios, families: families)
  }

  /// Reads a command line.
  ///
  /// - Parameter words: What was typed after the program's name.
  /// - Returns: What is asked for; everything in it has been checked.
  /// - Throws: `UsageError` when the line can't be understood; nothing should be run then.
  package func parse(_ words: [String]) throws(UsageError) -> Request {
    if words.isEmpty { return .overview }
    let (command, rest) = try selectCommand(words)
    if let request = universalRequest(words, command: command) { return request }
    let reader = CommandReader(
      command: command ?? table.defaultSpec, program: table.program, names: names)
    let invocation = try reader.read(rest)
    return invocation.command == CommandSpec.help.name
      ? .help(about: invocation.positionals.first) : .command(invocation)
  }

  /// Finds the command the line is about: `nil` when it names neither a command nor a scenario.
  private func selectCommand(
    _ words: [String]
  ) throws(UsageError) -> (command: CommandSpec?, rest: [String]) {
    var tokenizer = Tokenizer(words, options: table.everyOption, errors: errors)
    while let token = try tokenizer.next() {
      guard case .word(let word, let index) = token else { continue }
      if !tokenizer.isPastTerminator, let command = table.command(named: word) {
        return (command, Array(words[..<index] + words[(index + 1)...]))
      }
      if names.scenarios.contains(word) { return (table.defaultSpec, words) }
      if table.absent.contains(word) { throw errors.absent(word) }
      throw errors.unknownWord(word, names: names)
    }
    return (nil, words)
  }

  /// Help and version are answered wherever they stand, even beside mistakes.
  private func universalRequest(_ words: [String], command: CommandSpec?) -> Request? {
    for word in words.prefix(while: { $0 != "--" }) {
      if word == "-h" || word == "--help" { return .help(about: command?.name) }
      if word == "--version" { return .version }
    }
    return nil
  }

  private var errors: UsageErrors { UsageErrors(table: table) }
}

/// What a command line asks for.
package enum Request: Sendable, Equatable {
  /// Nothing at all was typed after the program's name.
  case overview

  /// The help page of a command or of a scenario; `nil` is the whole program.
  case help(about: String?)

  /// The version of the program.
  case version

  /// A command, with its arguments and options checked.
  case command(Invocation)
}

/// Reads the words that belong to one command and checks them against its declaration.
struct CommandReader {
  /// The command.
  let command: CommandSpec
  /// The name of the program.
  let program: String
  /// The words that the command line may refer to.
  let names: KnownNames

  private var errors: UsageErrors { UsageErrors(program: program, command: command) }

  /// Reads the words of the command line, the command's name left out.
  func read(_ words: [String]) throws(UsageError) -> Invocation {
    var positionals: [String] = []
    var given: [String: [String]] = [:]
    var tokenizer = Tokenizer(words, options: command.allOptions, errors: errors)
    var tokens: [Tokenizer.Token] = []
    while let token = try tokenizer.next() { tokens.append(token) }
    for token in tokens {
      switch token {
      case .word(let word, _): positionals.append(word)
      case .option(let option, let value): try add(value, of: option, to: &given)
      }
    }
    try check(positionals)
    if let missing = command.options.first(where: { $0.isRequired && given[$0.name] == nil }) {
      throw errors.missing(missing.synopsis)
    }
    return Invocation(spec: command, program: program, positionals: positionals, given: given)
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
    if let next = required.dropFirst(positionals.count).first { throw errors.missing(next.label) }
    let isRepeating = command.arguments.last?.isRepeating == true
    let wanted = isRepeating ? positionals.count : command.arguments.count
    // A word that is wrong says more than one that is too many.
    for (index, word) in positionals.prefix(wanted).enumerated() {
      let argument = command.arguments[min(index, command.arguments.count - 1)]
      guard argument.values.accepts(word, names: names) else {
        throw errors.invalid(word, for: argument, names: names)
      }
    }
    if positionals.count > wanted { throw errors.unexpected(Array(positionals[wanted...])) }
  }
}

/// Splits a command line into words and options, given the options that exist.
///
/// An option's value is the rest of its word after `=`, else the next word unless that one looks
/// like an option; a negative number is a value. After `--` everything is a word.
struct Tokenizer {
  /// A word or an option, and where on the command line it begins.
  enum Token: Equatable {
    /// A word that is no option, and which of the words it is.
    case word(String, index: Int)
    /// An option, and its value if it has one.
    case option(OptionSpec, value: String?)
  }

  private let words: [String]
  private let options: [OptionSpec]
  private let errors: UsageErrors
  private var position = 0

  /// Whether `--` has been passed.
  private(set) var isPastTerminator = false

  /// Begins at the first of some words.
  ///
  /// - Parameter errors: Words what is wrong where they can't be split.
  init(_ words: [String], options: [OptionSpec], errors: UsageErrors) {
    (self.words, self.options, self.errors) = (words, options, errors)
  }

  /// The next word or option, or `nil` at the end.
  mutating func next() throws(UsageError) -> Token? {
    if !isPastTerminator, position < words.count, words[position] == "--" {
      isPastTerminator = true
      position += 1
    }
    guard position < words.count else { return nil }
    let word = words[position]
    position += 1
    if !isPastTerminator, Self.looksLikeOption(word) { return try option(word) }
    return .word(word, index: position - 1)
  }

  private mutating func option(_ word: String) throws(UsageError) -> Token {
    let (written, attached) = Self.split(word)
    guard let option = options.first(where: { $0.spellings.contains(written) }) else {
      throw errors.unknownOption(written, options: options)
    }
    if option.isFlag {
      if let attached { throw errors.unexpectedValue(attached, of: option) }
      return .option(option, value: nil)
    }
    guard let value = attached ?? nextValue() else { throw errors.missingValue(of: option) }
    return .option(option, value: value)
  }

  private mutating func nextValue() -> String? {
    guard position < words.count else { return nil }
    let candidate = words[position]
    if Self.looksLikeOption(candidate), Int(candidate) == nil { return nil }
    position += 1
    return candidate
  }

  // Scalars, not characters: a combining mark after '-' or '=' would otherwise hide the sign.
  private static func looksLikeOption(_ word: String) -> Bool {
    word.unicodeScalars.first == "-" && word.unicodeScalars.count > 1
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    let scalars = word.unicodeScalars
    guard let sign = scalars.firstIndex(of: "=") else { return (word, nil) }
    return (String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...]))
  }
}
