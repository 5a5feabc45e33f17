import MemlabCLI
import MemlabKit

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

/// Completions for fish, see https://fishshell.com/docs/current/completions.html.
enum FishCompletions {
  /// The script, to be put into a folder of `$fish_complete_path` as `memlab.fish`.
  static func script(_ completions: Completions) -> String {
    let program = completions.table.program
    let lines =
      words(completions)
      + completions.table.commands.flatMap { command in
        options(of: command, completions) + arguments(of: command, completions)
      }
    return """
      # fish completion for \(program), written by '\(program) completions fish'
      function __\(program)_words
        set -l skip 0
        for word in (commandline -opc)[2..-1]
          if test $skip = 1
            set skip 0
            continue
          end
          switch $word
            case \(completions.valueOptions.joined(separator: " "))
              set skip 1
            case '-*'
            case '*'
              echo -- $word
          end
        end
      end
      function __\(program)_command
        set -l words (__\(program)_words)
        if not set -q words[1]
          return
        else if contains -- $words[1] \(completions.commandNames.joined(separator: " "))
          echo $words[1]
        else
          echo \(completions.table.defaultCommand)
        end
      end
      function __\(program)_is
        contains -- $argv[1] (__\(program)_command)
      end
      # The place of the argument to come, from 0: a scenario may be the first word of all.
      function __\(program)_is_argument
        set -l words (__\(program)_words)
        set -l place (count $words)
        contains -- "$words[1]" $argv[1]; and set place (math $place - 1)
        __\(program)_is $argv[1]; and test $argv[2] = '*' -o $argv[2] = $place
      end
      complete -c \(program) -f
      \(lines.joined(separator: "\n"))

      """
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
