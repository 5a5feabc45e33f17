extension CommandTable {
  /// A help page, ending in a line break.
  ///
  /// - Parameter name: The command to explain; `nil`, or a name that is not in the table, explains
  ///   the whole program.
  package func help(for name: String? = nil) -> String {
    guard let name, let command = command(named: name) else { return programHelp }
    return HelpPage()
      .overview(command.abstract, discussion: command.discussion)
      .usage(command.usage(program: program))
      .section("ARGUMENTS", command.arguments.map { ($0.label, $0.explanation) })
      .section("OPTIONS", command.allOptions.map { ($0.label, $0.explanation) })
      .text
  }

  private var programHelp: String {
    let options: [OptionSpec] = [.version, .help]
    return HelpPage()
      .overview(abstract, discussion: discussion)
      .usage(usage)
      .section("OPTIONS", options.map { ($0.label, $0.explanation) })
      .section("SUBCOMMANDS", commands.map { (label(of: $0), $0.abstract) })
      .closing("  See '\(program) help <subcommand>' for detailed help.")
      .text
  }

  private func label(of command: CommandSpec) -> String {
    command.name == defaultCommand ? "\(command.name) (default)" : command.name
  }
}

extension ArgumentSpec {
  /// The help sentence and the values that may be chosen from.
  var explanation: String {
    explain(help, values: values.listedValues, default: nil)
  }
}

extension OptionSpec {
  /// The help sentence, the values that may be chosen from and the default.
  var explanation: String {
    explain(help, values: values.listedValues, default: defaultValue)
  }
}

private func explain(_ help: String, values: [String], default defaultValue: String?) -> String {
  let notes = [
    values.isEmpty ? nil : "values: \(values.joined(separator: ", "))",
    defaultValue.map { "default: \($0)" },
  ].compactMap(\.self)
  return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
}
