/// `memlab completions <shell>`: a script that completes memlab's command line.
enum CompletionsCommand: Command {
  static let spec = CommandSpec(
    "completions",
    abstract: "Print completions for a shell.",
    discussion: """
      'make install' puts them where the shells look for them. To try them in bash:

        source <(memlab completions bash)
      """,
    arguments: [
      ArgumentSpec("shell", help: "The shell.", values: .cases(of: Shell.self))
    ])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let shell = Shell(rawValue: invocation.positionals[0]) else {
      preconditionFailure("the parser let an unknown shell pass: \(invocation.positionals[0])")
    }
    let completions = Completions(table: Commands.table, scenarios: session.scenarios)
    try session.output.write(shell.script(completions))
    return .success
  }
}
