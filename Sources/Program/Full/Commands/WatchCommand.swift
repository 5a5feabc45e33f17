import MemlabCLI
import MemlabTerminalText
import MemlabWatch

/// `memlab watch -- program arguments`: starts a program whose heap can be read while it runs.
enum WatchCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "watch", abstract: "Run any Swift program so that its heap can be read.",
      discussion: """
        The program needs no change. It runs with all its rights, signals and descriptors, and ends \
        with its own exit code. 'memlab snapshot', 'top' and 'why' read its heap by its process's \
        number. Exits with 65 when the program cannot be watched, and says why; with 70 when its heap \
        was to be read here and could not be trusted.
        """,
      arguments: [
        ArgumentSpec("program", help: "The program, or its name in PATH.", values: .file),
        ArgumentSpec(
          "argument", help: "What the program is given; write -- before the program.",
          isOptional: true, isRepeating: true),
      ],
      options: [
        .flag(
          "exact",
          help: "Give each frame of a task a block of its own, so that nothing is read that "
            + "a frame has left behind; with Swift 6.3 or later."),
        .flag("at-exit", help: "Tell what it keeps when it ends, on standard error."),
        .option(
          "every", valueName: "time",
          help: "Tell so often what has grown, such as 90s, 5m or 1h, on standard error."),
        .option(
          "symbols", valueName: "file",
          help: "The program's file before it was stripped, for the names of its functions.",
          values: .file),
      ])
  }

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
