import MemlabKit
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
    _ name: String, abstract: String, discussion: String? = nil, arguments: [ArgumentSpec] = [],
    options: [OptionSpec] = []
  ) {
    (self.name, self.abstract) = (name, abstract)
    (self.discussion, self.arguments, self.options) = (discussion, arguments, options)
  }

  /// The command's options followed by those that every command has.
  package var allOptions: [OptionSpec] { options + [.version, .help] }

  /// The command `help`, which every table has.
  package static let help = CommandSpec(
    "help", abstract: "Show help for a command.",
    arguments: [
      ArgumentSpec(
        "command", help: "The command to explain, or a scenario.", values: .topic, isOptional: true)
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
    _ name: String, help: String, values: ValueRule = .text, isOptional: Bool = false,
    isRepeating: Bool = false
  ) {
    (self.name, self.help) = (name, help)
    (self.values, self.isOptional, self.isRepeating) = (values, isOptional, isRepeating)
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
  package static func flag(_ name: String, short: Character? = nil, help: String) -> OptionSpec {
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
    _ name: String, short: Character? = nil, valueName: String? = nil, help: String,
    values: ValueRule = .text, default defaultValue: String? = nil, isRepeating: Bool = false,
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

  /// The option in each way in which it can be typed: `--help`, `-h`.
  package var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }

  /// The option with its value's name, as error sentences and usage lines name it.
  package var synopsis: String { valueName.map { "--\(name) <\($0)>" } ?? "--\(name)" }

  /// The option with all its names, as the `OPTIONS:` section has it.
  package var label: String { short.map { "-\($0), \(synopsis)" } ?? synopsis }
}

/// What a positional argument or an option accepts as its value.
package enum ValueRule: Sendable, Equatable {
  /// Any text that is not empty.
  case text

  /// Which orders of the same jobs to run, see `SchedulePlan`.
  case schedules

  /// One of a fixed list of words.
  case oneOf([String])

  /// One of a list of two-digit numbers, which may be typed without a leading zero, or a word.
  case numbered([String], or: [String] = [])

  /// A whole number in a range.
  case integer(ClosedRange<Int>)

  /// The id of a scenario; the parser is given the list.
  case scenario

  /// The name of one of a scenario's endings; the command judges it.
  case ending

  /// The name of a command of the table, or the id of a scenario.
  case topic

  /// A lesson's number, a part of its name, or a scenario that it teaches; the command judges it.
  case lesson

  /// The path of a file.
  case file

  /// The words that help and completions may list for this rule.
  package var listedValues: [String] {
    switch self {
    case .oneOf(let words): words
    case .numbered(let numbers, let words): words + numbers
    case .text, .integer, .schedules, .scenario, .ending, .topic, .lesson, .file: []
    }
  }

  /// Whether a value satisfies the rule.
  ///
  /// - Parameters:
  ///   - value: What the user typed.
  ///   - names: The scenarios and commands that exist.
  func accepts(_ value: String, names: KnownNames) -> Bool {
    switch self {
    case .text, .ending, .lesson, .file: !value.isEmpty
    case .schedules: SchedulePlan(value) != nil
    case .oneOf(let words): words.contains(value)
    case .numbered(let numbers, let words):
      words.contains(value) || numbers.contains(twoDigits(value))
    case .integer(let range): Int(value).map(range.contains) ?? false
    case .scenario: names.scenarios.contains(value)
    case .topic: names.commands.contains(value) || names.scenarios.contains(value)
    }
  }

  /// The sentence that tells a user which values are accepted.
  var advice: String {
    switch self {
    case .text, .ending, .lesson, .file: "It must not be empty."
    case .schedules:
      "Give a whole number from 1 to \(SchedulePlan.mostOrders), all, all:50000, seed:7 or "
        + "replay:5=2,9=3."
    case .oneOf, .numbered: "Choose one of: \(listedValues.joined(separator: ", "))."
    case .integer(let range): Self.advice(for: range)
    case .scenario: "Name a scenario."
    case .topic: "Name a command or a scenario."
    }
  }

  private static func advice(for range: ClosedRange<Int>) -> String {
    let bounds = range.upperBound == .max ? "of at least " : "from \(range.lowerBound) to "
    let bound = range.upperBound == .max ? range.lowerBound : range.upperBound
    return "Give a whole number \(bounds)\(bound)."
  }
}

/// The words a command line may refer to: what exists in this build of the program.
struct KnownNames: Sendable, Equatable {
  /// The names of the commands.
  let commands: [String]
  /// The ids of the scenarios.
  let scenarios: [String]
  /// The names of the families of scenarios.
  var families: [String] = []
}
