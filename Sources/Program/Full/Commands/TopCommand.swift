import MemlabCLI
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab top PID`: where a program's tasks wait, and which classes it has most of.
enum TopCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "top", abstract: "Show a watched program's tasks and classes.",
      discussion: """
        On a terminal the view renews itself, and says how many more of each class there are a \
        minute: d shows what has grown since it began, w asks for a class and shows who holds it, t \
        goes back to the table, s writes a snapshot, q leaves. Elsewhere it is written once. Each \
        look at the heap takes a copy of the process.
        """,
      arguments: [.process],
      options: [
        .option(
          "every", valueName: "seconds", help: "The time between two looks on a terminal.",
          values: .integer(1...3600), default: "10"),
        .watchFormat, .color,
      ])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let process = WatchedProcess(id: try invocation.process())
    let terminal = session.terminal(for: invocation)
    if invocation.watchFormat == .json {
      try session.output.write(try WatchJSON.top(of: process.dump()).text)
    } else if terminal.isInteractive {
      try TopView(
        process, every: try invocation.integer("every") ?? 10, on: session.output,
        usesColor: terminal.usesColor
      ).run()
    } else {
      // Nobody folds the lines of a file, so nothing is cut off.
      try session.write(TopLines(of: process.dump()).lines(width: .max), for: invocation)
    }
    return .success
  }
}
