import MemlabTerminalText

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

/// A positional argument of a command, as declared once for parsing, help and completions.
package struct ArgumentSpec: Sendable, Equatable {
  /// The name shown between angle brackets, without the brackets.
  package let name: String

  /// One sentence for the `ARGUMENTS:` section.
  package let help: String

  /// What the argument accepts.
  package let values: ValueRule

  /// Whether the argument may be left out.
  package let isOptional: Bool

  /// Whether the argument takes all the words that are left; only the last argument may.
  package let isRepeating: Bool

  /// Declares a positional argument.
  ///
  /// - Parameters:
  ///   - name: The name shown between angle brackets.
  ///   - help: One sentence.
  ///   - values: What is accepted.
  ///   - isOptional: Whether it may be left out.
  ///   - isRepeating: Whether it takes all the words that are left.
  package init(
    _ name: String,
    help: String,
    values: ValueRule = .text,
    isOptional: Bool = false,
    isRepeating: Bool = false
  ) {
    self.name = name
    self.help = help
    self.values = values
    self.isOptional = isOptional
    self.isRepeating = isRepeating
  }

  /// The argument as the `ARGUMENTS:` section and error sentences name it: `<scenario>`.
  package var label: String { "<\(name)>" }

  /// The argument as a usage line has it: `<scenario>`, `[<scenario>]` or `[<scenario> ...]`.
  package var synopsis: String {
    let repeated = isRepeating ? "\(label) ..." : label
    return isOptional ? "[\(repeated)]" : repeated
  }
}

/// An option or a flag of a command, as declared once for parsing, help and completions.
package struct OptionSpec: Sendable, Equatable {
  /// The long name, without its dashes.
  package let name: String

  /// The one-letter name, without its dash.
  package let short: Character?

  /// The name of the value, shown between angle brackets; `nil` makes the option a flag.
  package let valueName: String?

  /// One sentence for the `OPTIONS:` section.
  package let help: String

  /// What the value may be.
  package let values: ValueRule

  /// The value the option has when it is not given.
  package let defaultValue: String?

  /// Whether the option may be given several times.
  package let isRepeating: Bool

  /// Whether the option is required.
  package var isRequired = false

  /// Whether the option takes no value.
  package var isFlag: Bool { valueName == nil }

  /// Declares a flag: an option that is either given or not.
  ///
  /// - Parameters:
  ///   - name: The long name, without its dashes.
  ///   - short: The one-letter name.
  ///   - help: One sentence.
  package static func flag(
    _ name: String, short: Character? = nil, help: String
  ) -> OptionSpec {
    OptionSpec(
      name: name, short: short, valueName: nil, help: help, values: .text, defaultValue: nil,
      isRepeating: true)
  }

  /// Declares an option that takes a value.
  ///
  /// - Parameters:
  ///   - name: The long name, without its dashes.
  ///   - short: The one-letter name.
  ///   - valueName: The name shown between angle brackets; the long name if left out.
  ///   - help: One sentence.
  ///   - values: What is accepted.
  ///   - defaultValue: The value when the option is not given.
  ///   - isRepeating: Whether it may be given several times.
  ///   - isRequired: Whether it is required.
  package static func option(
    _ name: String,
    short: Character? = nil,
    valueName: String? = nil,
    help: String,
    values: ValueRule = .text,
    default defaultValue: String? = nil,
    isRepeating: Bool = false,
    isRequired: Bool = false
  ) -> OptionSpec {
    OptionSpec(
      name: name, short: short, valueName: valueName ?? name, help: help, values: values,
      defaultValue: defaultValue, isRepeating: isRepeating, isRequired: isRequired)
  }
}

extension OptionSpec {
  /// The flag every command has for showing its help.
  package static let help = flag("help", short: "h", help: "Show help information.")

  /// The flag every command has for showing the program's version.
  package static let version = flag("version", help: "Show the version.")

  /// The option with its value's name, as error sentences and usage lines name it.
  package var synopsis: String { valueName.map { "--\(name) <\($0)>" } ?? "--\(name)" }

  /// The option with all its names, as the `OPTIONS:` section has it.
  package var label: String { short.map { "-\($0), \(synopsis)" } ?? synopsis }
}

extension OptionSpec {
  /// The option `--color`, for every command that prints for people.
  package static let color = option(
    "color", valueName: "when", help: "Use colour.", values: .cases(of: ColorChoice.self),
    default: ColorChoice.auto.rawValue)
}
