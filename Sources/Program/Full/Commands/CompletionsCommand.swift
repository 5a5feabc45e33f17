import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// `memlab completions <shell>`: a script that completes memlab's command line.
enum CompletionsCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let shell = Shell(rawValue: invocation.positionals[0]) else {
      preconditionFailure("the parser let an unknown shell pass: \(invocation.positionals[0])")
    }
    let completions = Completions(app: session.app, table: Commands.table(of: session.app))
    try session.output.write(shell.script(completions))
    return .success
  }
}

/// What can be typed, as a shell's completion script needs it: made from the table of commands.
struct Completions: Sendable {
  /// The program whose command line is completed.
  let app: App

  /// The program's commands.
  let table: CommandTable

  /// The ids of the scenarios.
  var scenarioNames: [String] { app.scenarios.map(\.id) }

  /// The names of the commands.
  var commandNames: [String] { table.commands.map(\.name) }

  /// The names of all endings, each once. Only those that a shell takes for themselves: the scripts that are
  /// written here do not quote.
  var endingNames: [String] { endingsOfScenarios.flatMap(\.endings).uniqued() }

  /// Scenarios that have the same endings, with these endings.
  var endingsOfScenarios: [(scenarios: [String], endings: [String])] {
    app.scenarios.grouped { $0.endings.map(\.name) }.map { alike in
      (alike.map(\.id), alike[0].endings.map(\.name).filter(\.isPlainWord))
    }
  }

  /// Numbers without their leading zero, as they may also be typed; offered only after a first
  /// digit was typed.
  func shortNumbers(of argument: ArgumentSpec) -> [String] {
    words(argument.values).filter { $0.first?.isNumber == true }.map {
      "\($0.drop { $0 == "0" }.prefix { $0.isNumber })"
    }
  }

  /// A text of the folder `Files`, with what stands in braces filled in. One that is missing traps.
  static func text(_ name: String, filling words: [String: String]) -> String {
    guard let text = Embedded.files["\(name).txt"] else {
      preconditionFailure("the build has left out the file \(name).txt")
    }
    return text.filling(words)
  }

  /// The words that are a value; none where they cannot be listed.
  func words(_ rule: ValueRule) -> [String] {
    switch rule {
    case .scenario: scenarioNames
    case .topic: commandNames + scenarioNames
    case .lesson: (app.course?.lessons ?? []) + scenarioNames
    case .schedules: ["all"]
    default: rule.listedValues
    }
  }
}

/// The shells that `memlab completions` can write for.
enum Shell: String, CaseIterable {
  /// Bash.
  case bash
  /// Zsh.
  case zsh
  /// Fish.
  case fish

  /// The script that completes memlab's command line in this shell: the text of its file, filled in.
  func script(_ completions: Completions) -> String {
    let table = completions.table
    let separator = self == .fish ? " " : "|"
    // As they are typed: `--format`.
    let valueOptions = table.everyOption.filter { !$0.isFlag }.flatMap(\.spellings)
    return Completions.text(
      rawValue,
      filling: [
        "program": table.program, "default": table.defaultCommand,
        "options": valueOptions.joined(separator: separator),
        "commands": completions.commandNames.joined(separator: separator),
        "cases": self == .fish ? completions.fishRules : completions.choice,
      ])
  }
}
