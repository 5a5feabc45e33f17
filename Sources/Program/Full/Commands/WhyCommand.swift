import MemlabCLI
import MemlabDumps
import MemlabTerminalText
import MemlabWatch

/// `memlab why PID CLASS`: who holds the instances of a class.
enum WhyCommand: Command {
  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let source = invocation.positionals[0]
    let dump =
      try pid_t(source).flatMap { $0 > 0 ? try WatchedProcess(id: $0).dump() : nil }
      ?? SnapshotFile(named: source).read()
    let name = invocation.positionals[1]
    let holders = HeapHolders(of: name, in: dump)
    if invocation.wantsJSON {
      try session.output.write(WatchJSON.holders(holders, of: name, in: dump))
    } else {
      let width = session.terminal(for: invocation).width
      try session.write(ClassHolderLines.lines(holders, of: name, in: dump, width), for: invocation)
    }
    return .success
  }
}
