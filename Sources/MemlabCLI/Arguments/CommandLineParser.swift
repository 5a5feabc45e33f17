/// Turns a command line into a checked request, or into an error that helps.
package struct CommandLineParser: Sendable {
  private let table: CommandTable
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
    if invocation.command == CommandSpec.help.name {
      return .help(about: invocation.positionals.first)
    }
    return .command(invocation)
  }

  /// Finds the command the line is about: `nil` when it names neither a command nor a scenario.
  private func selectCommand(
    _ words: [String]
  ) throws(UsageError) -> (command: CommandSpec?, rest: [String]) {
    var tokenizer = Tokenizer(words, options: table.everyOption)
    guard let (word, index) = try firstWord(&tokenizer) else { return (nil, words) }
    if !tokenizer.isPastTerminator, let command = table.command(named: word) {
      return (command, Array(words[..<index] + words[(index + 1)...]))
    }
    guard names.scenarios.contains(word) else { throw errors.unknownWord(word, names: names) }
    return (table.defaultSpec, words)
  }

  private func firstWord(
    _ tokenizer: inout Tokenizer
  ) throws(UsageError) -> (word: String, index: Int)? {
    do {
      while let token = try tokenizer.next() {
        if case .word(let word, let index) = token { return (word, index) }
      }
      return nil
    } catch {
      throw errors.sentence(for: error, options: table.everyOption)
    }
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
