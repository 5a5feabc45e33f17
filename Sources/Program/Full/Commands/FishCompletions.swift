import MemlabCLI
import MemlabKit

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
    let commands = completions.table.commands.map { command in
      "complete -c \(program) -n \(isFirst) -a \(command.name) -d \(quote(command.abstract))"
    }
    return commands
      + completions.scenarios.map { scenario in
        "complete -c \(program) -n \(isFirst) -a \(scenario.id) -d \(quote(scenario.title))"
      }
  }

  private static func options(
    of command: CommandSpec, _ completions: Completions
  ) -> [String] {
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
      return completions.endingsOfScenarios.map { group in
        let names = group.scenarios.joined(separator: " ")
        return line("\(isCommand); and __fish_seen_subcommand_from \(names)", group.endings)
      } + [
        line(
          "\(isCommand); and not __fish_seen_subcommand_from "
            + completions.scenarioNames.joined(separator: " "), completions.endingNames)
      ]
    }
  }

  private static func arguments(
    of command: CommandSpec, _ completions: Completions
  ) -> [String] {
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
