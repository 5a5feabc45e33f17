/// One command of the program: what it accepts and what it does.
protocol Command: SendableMetatype {
  /// The declaration that parsing, help and completions are made from.
  static var spec: CommandSpec { get }

  /// Whether it measures endings with ``EndingMeasurements`` and runs none of them by itself.
  static var measuresMany: Bool { get }

  /// Does what the command line asks for.
  ///
  /// - Returns: what was found, as an exit code.
  /// - Throws: `UsageError` before anything has run, `OutputError`, or an error that says why
  ///   memlab cannot be trusted here.
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode
}

extension Command {
  static var measuresMany: Bool { false }
}

/// All commands, in the order in which help lists them.
enum Commands {
  static let all: [any Command.Type] = [
    RunCommand.self, ListCommand.self, CheckCommand.self, GraphCommand.self, ExerciseCommand.self,
    ShowCommand.self, HintCommand.self, MatrixCommand.self, CompareCommand.self, WalkCommand.self,
    LessonCommand.self, DoctorCommand.self, CompletionsCommand.self, ManCommand.self,
    ReportCommand.self, FilmCommand.self, SiteCommand.self, WatchCommand.self, TopCommand.self,
    SnapshotCommand.self, DiffCommand.self, WhyCommand.self,
  ]

  static let table = CommandTable(
    abstract: "See what Swift keeps alive, and why.",
    discussion: """
      memlab runs one ownership pattern from a published document, ends it in every way that \
      matters, and reports what was deinitialised, which tasks are still alive, and why.
      """,
    commands: all.map { $0.spec },
    defaultCommand: RunCommand.spec.name)

  /// The command of this name, which the parser has found to exist.
  static func named(_ name: String) -> any Command.Type {
    guard let command = all.first(where: { $0.spec.name == name }) else {
      preconditionFailure("the parser let an unknown command pass: \(name)")
    }
    return command
  }
}
