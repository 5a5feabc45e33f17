/// The branches that the scripts for bash and zsh share: both are shells of one family.
enum ShellCases {
  /// What sets `values` or `files` once `command`, `previous`, `current` and `arguments` are known.
  static func choice(_ completions: Completions) -> String {
    """
      case $command:$previous in
    \(options(completions).map { "    \($0)" }.joined(separator: "\n"))
        *)
          if [[ $current == -* ]]; then
            case $command in
    \(flags(completions).map { "          \($0)" }.joined(separator: "\n"))
            esac
          else
            case $command:$arguments in
    \(arguments(completions).map { "          \($0)" }.joined(separator: "\n"))
            esac
          fi ;;
      esac
    """
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
