/// A command as declared once: parsing, help, completions and the manual are made from it.
package struct CommandSpec: Sendable, Equatable {
  /// The word that selects the command.
  package let name: String

  /// What the command does, in one line.
  package let abstract: String

  /// More about the command; lines that begin with a space are kept as they are.
  package let discussion: String?

  /// The positional arguments, in order.
  package let arguments: [ArgumentSpec]

  /// The command's own options; help and version come on top.
  package let options: [OptionSpec]

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - name: The word that selects it.
  ///   - abstract: What it does, in one line.
  ///   - discussion: More about it, for its help page.
  ///   - arguments: The positional arguments, in order.
  ///   - options: Its own options.
  package init(
    _ name: String,
    abstract: String,
    discussion: String? = nil,
    arguments: [ArgumentSpec] = [],
    options: [OptionSpec] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
  }

  /// The command's options followed by those that every command has.
  package var allOptions: [OptionSpec] { options + [.version, .help] }

  /// The command `help`, which every table has.
  package static let help = CommandSpec(
    "help",
    abstract: "Show help for a command.",
    arguments: [
      ArgumentSpec(
        "command", help: "The command to explain, or a scenario.", values: .topic,
        isOptional: true)
    ])

  /// The declaration of an option of this command.
  ///
  /// - Parameter name: The long name. Asking for one that was not declared is a programming
  ///   error and traps.
  func option(named name: String) -> OptionSpec {
    guard let option = allOptions.first(where: { $0.name == name }) else {
      preconditionFailure("the command '\(self.name)' declares no option '--\(name)'")
    }
    return option
  }
}
