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
