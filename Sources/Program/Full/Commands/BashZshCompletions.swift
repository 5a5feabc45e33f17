import MemlabCLI

/// Completions for bash, see https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html.
///
/// The script reads the line as memlab does: the first word that is neither an option nor an
/// option's value is a command, or a scenario to run.
enum BashCompletions {
  /// The script, to be sourced or put where bash-completion looks for it.
  static func script(_ completions: Completions) -> String {
    let program = completions.table.program
    return """
      # bash completion for \(program), written by '\(program) completions bash'
      _\(program)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command= scenario= index arguments=0 values= files=
        # Among the characters that bash breaks words at is '='.
        if [[ $current == = ]]; then
          current=
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for (( index = 1; index < COMP_CWORD; index++ )); do
          case ${COMP_WORDS[index]} in
            \(completions.valueOptions.joined(separator: "|")))
              [[ ${COMP_WORDS[index+1]} == = ]] && (( index++ ))
              (( index++ )) ;;
            -*) ;;
            \(completions.commandNames.joined(separator: "|")))
              if [[ -z $command ]]; then
                command=${COMP_WORDS[index]}
              else
                (( arguments++ ))
              fi ;;
            *)
              [[ -z $command ]] && command=\(completions.table.defaultCommand)
              [[ -z $scenario ]] && scenario=${COMP_WORDS[index]}
              (( arguments++ )) ;;
          esac
        done
      \(ShellCases.choice(completions))
        if [[ -n $files ]]; then
          local IFS=$'\\n'
          compopt -o filenames 2> /dev/null
          COMPREPLY=( $(compgen -f -- "$current") )
        else
          COMPREPLY=( $(compgen -W "$values" -- "$current") )
        fi
      }
      complete -F _\(program) \(program)

      """
  }
}

/// Completions for zsh, see https://zsh.sourceforge.io/Doc/Release/Completion-System.html.
enum ZshCompletions {
  /// The script, to be put into a folder of `$fpath` as `_memlab`.
  static func script(_ completions: Completions) -> String {
    let program = completions.table.program
    return """
      #compdef \(program)
      # zsh completion for \(program), written by '\(program) completions zsh'
      _\(program)() {
        local current=${words[CURRENT]} previous=${words[CURRENT-1]}
        local command= scenario= values= files= index arguments=0
        # zsh keeps '--option=value' in one word.
        if [[ $current == --*=* ]]; then
          previous=${current%%=*}
          compset -P '*='
        fi
        for (( index = 2; index < CURRENT; index++ )); do
          case ${words[index]} in
            \(completions.valueOptions.joined(separator: "|"))) (( index++ )) ;;
            -*) ;;
            \(completions.commandNames.joined(separator: "|")))
              if [[ -z $command ]]; then
                command=${words[index]}
              else
                (( arguments++ ))
              fi ;;
            *)
              [[ -z $command ]] && command=\(completions.table.defaultCommand)
              [[ -z $scenario ]] && scenario=${words[index]}
              (( arguments++ )) ;;
          esac
        done
      \(ShellCases.choice(completions))
        if [[ -n $files ]]; then
          _files
        else
          compadd -- ${=values}
        fi
      }
      # Autoloaded, this file is the function's body; sourced, it only has to be made known.
      if [[ $funcstack[1] == _\(program) ]]; then
        _\(program) "$@"
      elif (( $+functions[compdef] )); then
        compdef _\(program) \(program)
      fi

      """
  }
}

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
