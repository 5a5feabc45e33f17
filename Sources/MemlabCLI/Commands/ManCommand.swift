/// `memlab man`: the manual page, for `make install`.
enum ManCommand: Command {
  static let spec = CommandSpec(
    "man",
    abstract: "Print the manual page, as input for man.")

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let page = ManualPage(
      table: Commands.table, scenarios: session.scenarios, version: Memlab.version)
    try session.output.write(page.text)
    return .success
  }
}
