extension CommandTable {
  /// What is wrong with the declarations, one sentence each; empty when all is well.
  ///
  /// - Parameter scenarios: The ids of all scenarios: none may be the name of a command.
  package func problems(scenarios: [String]) -> [String] {
    var found = Self.repeated(commands.map(\.name)).map { "two commands are named '\($0)'" }
    if command(named: defaultCommand) == nil {
      found.append("the default command '\(defaultCommand)' is not in the table")
    }
    found += scenarios.filter { command(named: $0) != nil }
      .map { "the scenario '\($0)' has the name of a command" }
    return found + commands.flatMap(\.problems)
  }

  fileprivate static func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
    var seen: Set<Name> = []
    return names.filter { !seen.insert($0).inserted }
  }
}

extension CommandSpec {
  fileprivate var problems: [String] {
    let long = CommandTable.repeated(allOptions.map(\.name)).map { "two options '--\($0)'" }
    let short = CommandTable.repeated(allOptions.compactMap(\.short)).map { "two options '-\($0)'" }
    let defaults = options.filter { !$0.hasAcceptedDefault }
      .map { "the default of '--\($0.name)' is not among its values" }
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

extension OptionSpec {
  fileprivate var hasAcceptedDefault: Bool {
    guard let defaultValue else { return true }
    return values.accepts(defaultValue, names: KnownNames(commands: [], scenarios: []))
  }
}
