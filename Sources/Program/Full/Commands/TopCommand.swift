import MemlabCLI
import MemlabTerminalText
import MemlabWatch

/// `memlab top PID`: where a program's tasks wait, and which classes it has most of.
enum TopCommand: Command {
  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let process = WatchedProcess(id: try invocation.process())
    let terminal = session.terminal(for: invocation)
    if invocation.wantsJSON {
      try session.output.write(try WatchJSON.top(of: process.dump()))
    } else if terminal.isInteractive {
      try TopView(
        process, every: invocation.integer("every") ?? 10, on: session.output,
        usesColor: terminal.usesColor
      ).run()
    } else {
      // Nobody folds the lines of a file, so nothing is cut off.
      try session.write(TopLines(of: process.dump()).lines(width: .max), for: invocation)
    }
    return .success
  }
}
