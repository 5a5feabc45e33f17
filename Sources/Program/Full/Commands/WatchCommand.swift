import MemlabCLI
import MemlabTerminalText
import MemlabWatch

/// `memlab watch -- program arguments`: starts a program whose heap can be read while it runs.
enum WatchCommand: Command {
  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let interval = try interval(invocation)
    SocketFolder.removeAbandoned()
    var launch = try Launch(
      invocation.positionals, libraries: AgentLibraries(), folder: SocketFolder.make())
    if invocation.flag("exact") { launch.separateFrames() }
    if let file = invocation.value("symbols") { try launch.nameFunctions(from: file) }
    guard invocation.flag("at-exit") || interval != nil else { try launch.replaceThisProcess() }
    let supervisor = Supervisor(
      launch, atExit: invocation.flag("at-exit"), interval: interval, errors: session.errors)
    // The code is the program's, which may be any.
    exit(try supervisor.run())
  }

  private static func interval(_ invocation: Invocation) throws(UsageError) -> Duration? {
    guard let text = invocation.value("every") else { return nil }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
      (1...86_400).contains(count)
    else {
      throw invocation.usageError(
        "The value \(quoted(text)) is invalid for '--every <time>'. Give a number and a unit, such "
          + "as 90s, 5m or 1h.")
    }
    return .seconds(count * unit)
  }
}
