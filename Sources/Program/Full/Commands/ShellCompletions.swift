import MemlabCLI
import MemlabKit

/// The branches of the scripts for bash and zsh.
///
/// These read the line as memlab does: the first word that is neither an option nor an option's value is a
/// command, or a scenario to run. See
/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html and
/// https://zsh.sourceforge.io/Doc/Release/Completion-System.html.
enum ShellCases {
  /// The `case` that finds what the word to be completed may be.
  static func choice(_ completions: Completions) -> String {
    let text = Completions.text(
      "cases",
      filling: [
        "optionCases": options(completions).joined(separator: "\n    "),
        "flagCases": flags(completions).joined(separator: "\n          "),
        "argumentCases": arguments(completions).joined(separator: "\n          "),
      ])
    return String(text.dropLast())
  }

  /// `command:option) values=…`, for every option that takes a value.
  private static func options(_ completions: Completions) -> [String] {
    completions.table.commands.flatMap { command in
      command.options.filter { !$0.isFlag }.flatMap { option -> [String] in
        let pattern = patterns(command, option.spellings, completions).joined(separator: "|")
        if option.isEnding { return endings(after: pattern, completions) }
        if option.isFile { return ["\(pattern)) files=1 ;;"] }
        return ["\(pattern)) \(assign(completions.values(of: option))) ;;"]
      }
    }
  }

  /// `command) values=…`: the options of a command, and those that need none.
  private static func flags(_ completions: Completions) -> [String] {
    completions.table.commands.map { command in
      "\(command.name)) \(assign(command.allOptions.flatMap(\.spellings))) ;;"
    } + ["*) \(assign([OptionSpec.help, .version].flatMap(\.spellings))) ;;"]
  }

  /// `command:number) values=…`: what an argument of a command may be, the first word of all last.
  private static func arguments(_ completions: Completions) -> [String] {
    completions.table.commands.flatMap { command in
      command.arguments.enumerated().map { place, argument in
        let number = argument.isRepeating ? "*" : "\(place)"
        let short = completions.shortNumbers(of: argument)
        let shorter = short.isEmpty ? "" : "; [[ $current == [1-9]* ]] && \(assign(short))"
        return "\(command.name):\(number)) \(assign(completions.values(of: argument)))\(shorter) ;;"
      }
    } + [":*) \(assign(completions.commandNames + completions.scenarioNames)) ;;"]
  }

  // An option of the default command may stand before any command.
  private static func patterns(
    _ command: CommandSpec, _ spellings: [String], _ completions: Completions
  ) -> [String] {
    let isDefault = command.name == completions.table.defaultCommand
    return spellings.flatMap { ["\(command.name):\($0)"] + (isDefault ? [":\($0)"] : []) }
  }

  private static func endings(after pattern: String, _ completions: Completions) -> [String] {
    let branches = completions.endingsOfScenarios.map { group in
      "    \(group.scenarios.joined(separator: "|"))) \(assign(group.endings)) ;;"
    }
    return ["\(pattern))", "  case $scenario in"] + branches
      + ["    *) \(assign(completions.endingNames)) ;;", "  esac ;;"]
  }

  private static func assign(_ words: [String]) -> String {
    "values='\(words.joined(separator: " "))'"
  }
}

/// The rules of the script for fish, see https://fishshell.com/docs/current/completions.html.
enum FishCompletions {
  /// The rules: for the first word, and for what follows each command.
  static func rules(_ completions: Completions) -> String {
    let rules = completions.table.commands.flatMap { command in
      options(of: command, completions) + arguments(of: command, completions)
    }
    return (words(completions) + rules).joined(separator: "\n")
  }

  private static func words(_ completions: Completions) -> [String] {
    let program = completions.table.program
    let isFirst = "'not __\(program)_words | string length -q'"
    let scenarios = completions.scenarios.map { ($0.id, $0.title) }
    return (completions.table.commands.map { ($0.name, $0.abstract) } + scenarios).map {
      "complete -c \(program) -n \(isFirst) -a \($0) -d \(quote($1))"
    }
  }

  private static func options(of command: CommandSpec, _ completions: Completions) -> [String] {
    let program = completions.table.program
    return command.allOptions.flatMap { option -> [String] in
      let names = "-l \(option.name)" + (option.short.map { " -s \($0)" } ?? "")
      let help = "-d \(quote(option.help))"
      func line(_ condition: String, _ values: [String]) -> String {
        let list = option.isFile ? " -r -F" : " -x -a \(quote(values.joined(separator: " ")))"
        let value = option.isFlag ? "" : list
        return "complete -c \(program) -n \(quote(condition)) \(names)\(value) \(help)"
      }
      let isCommand = "__\(program)_is \(command.name)"
      guard option.isEnding else { return [line(isCommand, completions.values(of: option))] }
      let known = completions.endingsOfScenarios.map { group in
        let names = group.scenarios.joined(separator: " ")
        return line("\(isCommand); and __fish_seen_subcommand_from \(names)", group.endings)
      }
      let others =
        "not __fish_seen_subcommand_from " + completions.scenarioNames.joined(separator: " ")
      return known + [line("\(isCommand); and \(others)", completions.endingNames)]
    }
  }

  private static func arguments(of command: CommandSpec, _ completions: Completions) -> [String] {
    let program = completions.table.program
    return command.arguments.enumerated().flatMap { place, argument in
      let number = argument.isRepeating ? "\\*" : "\(place)"
      let isHere = "__\(program)_is_argument \(command.name) \(number)"
      func line(_ condition: String, _ values: [String]) -> String {
        "complete -c \(program) -n \(quote(condition)) -a \(quote(values.joined(separator: " ")))"
      }
      let short = completions.shortNumbers(of: argument)
      let isShort = "\(isHere); and string match -qr '^[1-9]' -- (commandline -ct)"
      return [line(isHere, completions.values(of: argument))]
        + (short.isEmpty ? [] : [line(isShort, short)])
    }
  }

  // Inside single quotes fish knows two escapes.
  private static func quote(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
