import TerminalText

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
