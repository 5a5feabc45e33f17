import MemlabCLI
import MemlabDumps
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab diff NAME [NAME]`: what a program keeps that it did not keep before, and who holds it.
enum DiffCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "diff", abstract: "Tell what a watched program keeps that it did not before.",
      discussion: """
        Compares two files of 'memlab snapshot', or one with the program as it is now. New things that \
        are held alike are counted together: what each takes, who holds it, and the edge to cut. What \
        the runtime and C libraries keep for themselves is counted apart.
        """,
      arguments: [
        ArgumentSpec("earlier", help: "The older snapshot.", values: .file),
        ArgumentSpec(
          "later", help: "The newer one; the program as it is now if left out.", values: .file,
          isOptional: true),
      ],
      options: [
        .flag("fail-on-growth", help: "Exit with 1 when anything has grown."), .watchFormat, .color,
      ])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let earlier = try SnapshotFile(named: invocation.positionals[0]).read()
    let later =
      try invocation.positionals.count > 1
      ? SnapshotFile(named: invocation.positionals[1]).read()
      : WatchedProcess(id: earlier.facts.process).dump()
    do {
      let lines = try GrowthLines(from: earlier, to: later)
      switch invocation.watchFormat {
      case .text:
        let width = session.terminal(for: invocation).width
        try session.write(lines.lines(width: width), for: invocation)
      case .json:
        let json = try WatchJSON.growth(lines.growth, from: earlier, to: later)
        try session.output.write(json.text)
      }
      return invocation.flag("fail-on-growth") && lines.hasGrown ? .unexpected : .success
    } catch let error as GrowthError {
      throw WatchError.unfit("The snapshots cannot be compared: \(error).")
    }
  }
}
