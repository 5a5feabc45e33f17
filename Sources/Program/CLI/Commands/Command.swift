import MemlabReports
import MemlabTerminalText

/// One command of the program: what it accepts and what it does.
protocol Command: SendableMetatype {
  /// The declaration that parsing, help and completions are made from.
  static func spec(of app: App) -> CommandSpec

  /// Whether no other program than memlab has it: it is about the course, or about other programs.
  static var isOfMemlabAlone: Bool { get }

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
  static var isOfMemlabAlone: Bool { false }
  static var measuresMany: Bool { false }
}

/// All commands, in the order in which help lists them.
enum Commands {
  /// Their types.
  static let all: [any Command.Type] = [
    RunCommand.self, ListCommand.self, CheckCommand.self, GraphCommand.self, ExerciseCommand.self,
    ShowCommand.self, HintCommand.self, MatrixCommand.self, CompareCommand.self, WalkCommand.self,
    LessonCommand.self, DoctorCommand.self, CompletionsCommand.self, ManCommand.self,
    ReportCommand.self, FilmCommand.self, SiteCommand.self, WatchCommand.self, TopCommand.self,
    SnapshotCommand.self, DiffCommand.self, WhyCommand.self,
  ]

  /// The commands that a program has.
  static func table(of app: App) -> CommandTable {
    let origin =
      app.course == nil ? "ownership pattern" : "ownership pattern from a published document"
    return CommandTable(
      program: app.name,
      abstract: "See what Swift keeps alive, and why.",
      discussion: """
        \(app.name) runs one \(origin), ends it in every way that \
        matters, and reports what was deinitialised, which tasks are still alive, and why.
        """,
      commands: all.filter { app.course != nil || !$0.isOfMemlabAlone }.map { $0.spec(of: app) },
      absent: app.course == nil
        ? all.filter { $0.isOfMemlabAlone }.map { $0.spec(of: app).name } : [],
      defaultCommand: RunCommand.spec(of: app).name)
  }

  /// The command of this name, which the parser has found to exist.
  static func named(_ name: String, of app: App) -> any Command.Type {
    guard let command = all.first(where: { $0.spec(of: app).name == name }) else {
      preconditionFailure("the parser let an unknown command pass: \(name)")
    }
    return command
  }
}
