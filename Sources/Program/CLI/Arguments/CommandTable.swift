/// All the commands of the program: the one declaration that everything else is made from.
package struct CommandTable: Sendable, Equatable {
  /// The name of the program, as typed.
  package let program: String

  /// What the program is, in one line.
  package let abstract: String

  /// More about the program; lines that begin with a space are kept as they are.
  package let discussion: String?

  /// The commands, in the order in which help lists them; `help` is the last.
  package let commands: [CommandSpec]

  /// The names of commands that other programs have, and this one has not.
  package let absent: [String]

  /// The name of the command that runs when the first word is a scenario.
  package let defaultCommand: String

  /// Declares the program's commands.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - abstract: What the program is, in one line.
  ///   - discussion: More about the program.
  ///   - commands: The commands; `help` is added.
  ///   - absent: The names of commands that other programs have, and this one has not.
  ///   - defaultCommand: The command for a first word that is a scenario.
  package init(
    program: String = "memlab", abstract: String, discussion: String? = nil,
    commands: [CommandSpec], absent: [String] = [], defaultCommand: String
  ) {
    (self.program, self.abstract, self.discussion) = (program, abstract, discussion)
    (self.commands, self.absent) = (commands + [.help], absent)
    self.defaultCommand = defaultCommand
  }

  /// The command with a name, if there is one.
  package func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }

  /// The command that runs when the first word is a scenario.
  var defaultSpec: CommandSpec {
    guard let spec = command(named: defaultCommand) else {
      preconditionFailure("the default command '\(defaultCommand)' is not in the table")
    }
    return spec
  }

  /// The options of all commands, each name once.
  package var everyOption: [OptionSpec] {
    commands.flatMap(\.allOptions).reduce(into: []) { found, option in
      if !found.contains(where: { $0.name == option.name }) { found.append(option) }
    }
  }
}

extension CommandTable {
  /// What is wrong with the declarations, one sentence each; empty when all is well.
  ///
  /// - Parameter scenarios: The ids of all scenarios: none may be the name of a command.
  package func problems(scenarios: [String]) -> [String] {
    var found = commands.map(\.name).repeated.map { "two commands are named '\($0)'" }
    if command(named: defaultCommand) == nil {
      found.append("the default command '\(defaultCommand)' is not in the table")
    }
    found += scenarios.filter { command(named: $0) != nil }
      .map { "the scenario '\($0)' has the name of a command" }
    return found + commands.flatMap(\.problems)
  }
}

extension Array where Element: Hashable {
  /// The elements that are equal to an earlier one.
  var repeated: [Element] {
    var seen: Set<Element> = []
    return filter { !seen.insert($0).inserted }
  }
}

extension CommandSpec {
  fileprivate var problems: [String] {
    let long = allOptions.map(\.name).repeated.map { "two options '--\($0)'" }
    let short = allOptions.compactMap(\.short).repeated.map { "two options '-\($0)'" }
    let none = KnownNames(commands: [], scenarios: [])
    let defaults = options.filter { option in
      option.defaultValue.map { option.values.accepts($0, names: none) } == false
    }.map { "the default of '--\($0.name)' is not among its values" }
    return (long + short + defaults + orderProblems).map { "\(name): \($0)" }
  }

  private var orderProblems: [String] {
    zip(arguments, arguments.dropFirst()).compactMap { argument, next in
      if argument.isRepeating { return "'\(argument.label)' repeats but is not the last argument" }
      let isAmbiguous = argument.isOptional && !next.isOptional
      return isAmbiguous ? "'\(argument.label)' is optional before '\(next.label)'" : nil
    }
  }
}
