import MemlabCLI
import MemlabKit

/// The branches of the scripts for bash and zsh.
///
/// These read the line as memlab does: the first word that is neither an option nor an option's value is a
/// command, or a scenario to run. See
/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html and
/// https://zsh.sourceforge.io/Doc/Release/Completion-System.html.
extension Completions {
  /// The `case` that finds what the word to be completed may be.
  var choice: String {
    let text = Self.text(
      "cases",
      filling: [
        "optionCases": optionCases.joined(separator: "\n    "),
        "flagCases": flagCases.joined(separator: "\n          "),
        "argumentCases": argumentCases.joined(separator: "\n          "),
      ])
    return String(text.dropLast())
  }

  /// `command:option) values=…`, for every option that takes a value.
  private var optionCases: [String] {
    table.commands.flatMap { command in
      command.options.filter { !$0.isFlag }.flatMap { option -> [String] in
        let pattern = patterns(command, option.spellings).joined(separator: "|")
        if option.values == .ending { return endings(after: pattern) }
        if option.values == .file { return ["\(pattern)) files=1 ;;"] }
        return ["\(pattern)) \(assign(words(option.values))) ;;"]
      }
    }
  }

  /// `command) values=…`: the options of a command, and those that need none.
  private var flagCases: [String] {
    table.commands.map { command in
      "\(command.name)) \(assign(command.allOptions.flatMap(\.spellings))) ;;"
    } + ["*) \(assign([OptionSpec.help, .version].flatMap(\.spellings))) ;;"]
  }

  /// `command:number) values=…`: what an argument of a command may be, the first word of all last.
  private var argumentCases: [String] {
    table.commands.flatMap { command in
      command.arguments.enumerated().map { place, argument in
        let number = argument.isRepeating ? "*" : "\(place)"
        let short = shortNumbers(of: argument)
        let shorter = short.isEmpty ? "" : "; [[ $current == [1-9]* ]] && \(assign(short))"
        return "\(command.name):\(number)) \(assign(words(argument.values)))\(shorter) ;;"
      }
    } + [":*) \(assign(commandNames + scenarioNames)) ;;"]
  }

  // An option of the default command may stand before any command.
  private func patterns(_ command: CommandSpec, _ spellings: [String]) -> [String] {
    let isDefault = command.name == table.defaultCommand
    return spellings.flatMap { ["\(command.name):\($0)"] + (isDefault ? [":\($0)"] : []) }
  }

  private func endings(after pattern: String) -> [String] {
    let branches = endingsOfScenarios.map { group in
      "    \(group.scenarios.joined(separator: "|"))) \(assign(group.endings)) ;;"
    }
    return ["\(pattern))", "  case $scenario in"] + branches
      + ["    *) \(assign(endingNames)) ;;", "  esac ;;"]
  }

  private func assign(_ words: [String]) -> String { "values='\(words.joined(separator: " "))'" }
}

/// The rules of the script for fish, see https://fishshell.com/docs/current/completions.html.
extension Completions {
  /// The rules: for the first word, and for what follows each command.
  var fishRules: String {
    let isFirst = "not __\(table.program)_words | string length -q"
    let scenarios = app.scenarios.map { ($0.id, $0.title) }
    let first = (table.commands.map { ($0.name, $0.abstract) } + scenarios).map {
      rule(isFirst, "-a \($0) -d \(quote($1))")
    }
    let rules = table.commands.flatMap { fishOptions(of: $0) + fishArguments(of: $0) }
    return (first + rules).joined(separator: "\n")
  }

  private func rule(_ condition: String, _ words: String) -> String {
    "complete -c \(table.program) -n \(quote(condition)) \(words)"
  }

  private func fishOptions(of command: CommandSpec) -> [String] {
    command.allOptions.flatMap { option -> [String] in
      let names = "-l \(option.name)" + (option.short.map { " -s \($0)" } ?? "")
      func line(_ condition: String, _ values: [String]) -> String {
        let list =
          option.values == .file ? " -r -F" : " -x -a \(quote(values.joined(separator: " ")))"
        return rule(condition, "\(names)\(option.isFlag ? "" : list) -d \(quote(option.help))")
      }
      let isCommand = "__\(table.program)_is \(command.name)"
      guard option.values == .ending else { return [line(isCommand, words(option.values))] }
      let known = endingsOfScenarios.map { group in
        let names = group.scenarios.joined(separator: " ")
        return line("\(isCommand); and __fish_seen_subcommand_from \(names)", group.endings)
      }
      let others = "not __fish_seen_subcommand_from " + scenarioNames.joined(separator: " ")
      return known + [line("\(isCommand); and \(others)", endingNames)]
    }
  }

  private func fishArguments(of command: CommandSpec) -> [String] {
    command.arguments.enumerated().flatMap { place, argument in
      let number = argument.isRepeating ? "\\*" : "\(place)"
      let isHere = "__\(table.program)_is_argument \(command.name) \(number)"
      func line(_ condition: String, _ values: [String]) -> String {
        rule(condition, "-a \(quote(values.joined(separator: " ")))")
      }
      let short = shortNumbers(of: argument)
      let isShort = "\(isHere); and string match -qr '^[1-9]' -- (commandline -ct)"
      return [line(isHere, words(argument.values))] + (short.isEmpty ? [] : [line(isShort, short)])
    }
  }

  // Inside single quotes fish knows two escapes.
  private func quote(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
