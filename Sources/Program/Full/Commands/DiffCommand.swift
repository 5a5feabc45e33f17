import MemlabCLI
import MemlabDumps
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab diff NAME [NAME]`: what a program keeps that it did not keep before, and who holds it.
enum DiffCommand: Command {
  // For people; for programs, in the schema `memlab.diff/1`; what services for code scanning read.
  private enum Format: String { case text, json, sarif }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let earlier = try SnapshotFile(named: invocation.positionals[0]).read()
    let later =
      try invocation.positionals.count > 1
      ? SnapshotFile(named: invocation.positionals[1]).read()
      : WatchedProcess(id: earlier.facts.process).dump()
    do {
      let lines = try GrowthLines(from: earlier, to: later)
      switch invocation.choice("format", as: Format.self) ?? .text {
      case .text:
        let width = session.terminal(for: invocation).width
        try session.write(lines.lines(width: width), for: invocation)
      case .json: try session.output.write(WatchJSON.growth(lines.growth, from: earlier, to: later))
      case .sarif: try session.output.write(lines.sarif)
      }
      return invocation.flag("fail-on-growth") && lines.hasGrown ? .unexpected : .success
    } catch let error as GrowthError {
      throw WatchError.unfit("The snapshots cannot be compared: \(error).")
    }
  }
}
