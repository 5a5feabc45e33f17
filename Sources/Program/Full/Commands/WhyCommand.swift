import MemlabCLI
import MemlabDumps
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab why PID CLASS`: who holds the instances of a class.
enum WhyCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "why", abstract: "Tell who holds a class's instances in a watched program.",
      discussion: """
        Those that are held alike are counted together, each with the chain of strong references from \
        its root. A snapshot's file may stand in place of the process's number.
        """,
      arguments: [
        ArgumentSpec(
          "pid", help: "The number of the program's process, or a snapshot.", values: .file),
        ArgumentSpec("class", help: "The class, with or without its module."),
      ],
      options: [.watchFormat, .color])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let source = invocation.positionals[0]
    let dump =
      try pid_t(source).map { id in try WatchedProcess(id: id).dump() }
      ?? SnapshotFile(named: source).read()
    let name = invocation.positionals[1]
    let holders = HeapHolders(of: name, in: dump)
    switch invocation.watchFormat {
    case .json: try session.output.write(WatchJSON.holders(holders, of: name, in: dump).text)
    case .text:
      let width = session.terminal(for: invocation).width
      try session.write(ClassHolderLines.lines(holders, of: name, in: dump, width), for: invocation)
    }
    return .success
  }
}
