import MemlabReports
package import MemlabTerminalText

/// One command of the program: what it accepts and what it does.
package protocol Command: SendableMetatype {
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
  /// False.
  package static var isOfMemlabAlone: Bool { false }
  /// False.
  package static var measuresMany: Bool { false }
}

/// A command, as a program offers it.
package enum OfferedCommand: Sendable {
  /// The program has it.
  case here(any Command.Type)
  /// `memlab-full` has it, which is compiled when somebody asks for one of its commands.
  case inFullProgram(name: String, abstract: String)

  /// What the program knows of its command line.
  package func spec(of app: App) -> CommandSpec {
    switch self {
    case .here(let command): command.spec(of: app)
    case .inFullProgram(let name, let abstract): CommandSpec(name, abstract: abstract)
    }
  }

  fileprivate var isOfMemlabAlone: Bool {
    if case .here(let command) = self { command.isOfMemlabAlone } else { true }
  }
}

/// All commands, in the order in which help lists them.
package enum Commands {
  /// Those of the program that a first `swift run` builds: it runs scenarios, and names the others.
  package static let all: [OfferedCommand] = [
    .here(RunCommand.self), .here(ListCommand.self), .here(CheckCommand.self),
    .inFullProgram(name: "graph", abstract: "Draw who holds what is left."),
    .inFullProgram(name: "exercise", abstract: "Judge an exercise, as you have left it."),
    .inFullProgram(name: "show", abstract: "Show the code under study, without running it."),
    .inFullProgram(name: "hint", abstract: "Ask a scenario's question, and help with it."),
    .inFullProgram(name: "matrix", abstract: "Show which pattern leaks under which ending."),
    .inFullProgram(name: "compare", abstract: "Run two scenarios and show what differs."),
    .inFullProgram(name: "walk", abstract: "Predict, then walk through a run step by step."),
    .inFullProgram(name: "lesson", abstract: "List the lessons, or read one."),
    .here(DoctorCommand.self),
    .inFullProgram(name: "completions", abstract: "Print completions for a shell."),
    .inFullProgram(name: "man", abstract: "Print the manual page, as input for man."),
    .inFullProgram(name: "report", abstract: "Write what is measured as a page of HTML."),
    .inFullProgram(name: "cut", abstract: "Compute what would go without a reference."),
    .inFullProgram(name: "film", abstract: "Write each step of a run as JSON."),
    .inFullProgram(name: "site", abstract: "Write the course as pages for a browser."),
    .inFullProgram(name: "watch", abstract: "Run any Swift program so that its heap can be read."),
    .inFullProgram(name: "top", abstract: "Show a watched program's tasks and classes."),
    .inFullProgram(name: "snapshot", abstract: "Write what a watched program keeps to a file."),
    .inFullProgram(
      name: "diff", abstract: "Tell what a watched program keeps that it did not before."),
    .inFullProgram(
      name: "why", abstract: "Tell who holds a class's instances in a watched program."),
  ]

  /// The commands that measure scenarios, without those of the full program.
  package static let measuring: [OfferedCommand] = all.filter {
    if case .here = $0 { true } else { false }
  }

  /// The commands that a program has.
  package static func table(of app: App) -> CommandTable {
    let origin =
      app.course == nil ? "ownership pattern" : "ownership pattern from a published document"
    return CommandTable(
      program: app.name,
      abstract: "See what Swift keeps alive, and why.",
      discussion: """
        \(app.name) runs one \(origin), ends it in every way that \
        matters, and reports what was deinitialised, which tasks are still alive, and why.
        """,
      commands: app.commands.filter { app.course != nil || !$0.isOfMemlabAlone }
        .map { $0.spec(of: app) },
      absent: app.course == nil
        ? app.commands.filter(\.isOfMemlabAlone).map { $0.spec(of: app).name } : [],
      defaultCommand: RunCommand.spec(of: app).name)
  }

  /// The command of this name, which the parser has found to exist.
  static func named(_ name: String, of app: App) -> any Command.Type {
    for case .here(let command) in app.commands where command.spec(of: app).name == name {
      return command
    }
    preconditionFailure("the parser let an unknown command pass: \(name)")
  }
}
