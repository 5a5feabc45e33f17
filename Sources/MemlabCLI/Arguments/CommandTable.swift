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

  /// The name of the command that runs when the first word is a scenario.
  package let defaultCommand: String

  /// Declares the program's commands.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - abstract: What the program is, in one line.
  ///   - discussion: More about the program.
  ///   - commands: The commands; `help` is added.
  ///   - defaultCommand: The command for a first word that is a scenario.
  package init(
    program: String = "memlab",
    abstract: String,
    discussion: String? = nil,
    commands: [CommandSpec],
    defaultCommand: String
  ) {
    self.program = program
    self.abstract = abstract
    self.discussion = discussion
    self.commands = commands + [.help]
    self.defaultCommand = defaultCommand
  }

  /// The command with a name, if there is one.
  package func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// The command that runs when the first word is a scenario.
  var defaultSpec: CommandSpec {
    guard let spec = command(named: defaultCommand) else {
      preconditionFailure("the default command '\(defaultCommand)' is not in the table")
    }
    return spec
  }

  /// The options of all commands, each name once.
  var everyOption: [OptionSpec] {
    commands.flatMap(\.allOptions).reduce(into: []) { found, option in
      if !found.contains(where: { $0.name == option.name }) { found.append(option) }
    }
  }
}
