/// A command to run, with arguments and options that have been checked against its declaration.
package struct Invocation: Sendable, Equatable {
  /// The command, as declared.
  let spec: CommandSpec

  /// The name of the program, as typed.
  package let program: String

  /// The positional arguments, in order.
  package let positionals: [String]

  /// The values of the options that were given, by their names.
  let given: [String: [String]]

  /// The name of the command.
  package var command: String { spec.name }

  /// Whether a flag was given.
  ///
  /// - Parameter name: The long name, as declared; an undeclared one traps.
  package func flag(_ name: String) -> Bool { isGiven(name) }

  /// Whether an option was given, and has not its value by default.
  ///
  /// - Parameter name: The long name, as declared; an undeclared one traps.
  package func isGiven(_ name: String) -> Bool { given[spec.option(named: name).name] != nil }

  /// The value of an option, its default if it was not given.
  ///
  /// - Parameter name: The long name, as declared; an undeclared one traps.
  package func value(_ name: String) -> String? { values(name).last }

  /// All values of an option that may be given several times; its default if it was not given.
  ///
  /// - Parameter name: The long name, as declared; an undeclared one traps.
  package func values(_ name: String) -> [String] {
    given[name] ?? spec.option(named: name).defaultValue.map { [$0] } ?? []
  }

  /// The value of an option as a case of an enumeration, `nil` if it was not given.
  ///
  /// - Parameters:
  ///   - name: The long name, as the page has it.
  ///   - type: The enumeration.
  package func choice<Choice>(_ name: String, as type: Choice.Type) -> Choice?
  where Choice: RawRepresentable<String> {
    value(name).map { word in
      guard let choice = type.init(rawValue: word) else {
        preconditionFailure("the page of '\(command)' lets '\(word)' pass as a \(name)")
      }
      return choice
    }
  }

  /// The value of an option as a whole number, which the parser has checked; `nil` if it was not given.
  ///
  /// - Parameter name: The long name, as declared; an undeclared one traps.
  package func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

  /// The value of an option as a whole number up to one that only the command itself knows, `nil` if it
  /// was not given.
  ///
  /// - Throws: `UsageError` when it is more.
  package func integer(_ name: String, upTo most: Int) throws(UsageError) -> Int? {
    let number = integer(name)
    if let number, number > most { throw invalidValue(of: name, expected: .integer(1...most)) }
    return number
  }
}

extension Invocation {
  /// The error for an option whose value only the command itself can judge.
  ///
  /// - Parameters:
  ///   - name: The long name, as declared; an undeclared one traps.
  ///   - rule: What would have been accepted.
  package func invalidValue(of name: String, expected rule: ValueRule) -> UsageError {
    errors.invalid(value(name) ?? "", for: spec.option(named: name), expected: rule)
  }

  /// An error about the command line that only the command itself can find.
  ///
  /// - Parameters:
  ///   - message: What is wrong, in one sentence; what was typed must be put in with `quoted`.
  ///   - suggestions: What may have been meant.
  package func usageError(_ message: String, suggestions: [String] = []) -> UsageError {
    errors.error(message, suggestions: suggestions)
  }

  private var errors: UsageErrors { UsageErrors(program: program, command: spec) }
}
