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
