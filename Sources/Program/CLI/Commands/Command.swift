import MemlabKit
package import MemlabTerminalText

/// One command of the program: what it does. What can be typed after its name is on its page.
package protocol Command: SendableMetatype {
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

/// The commands, by name.
package enum Commands {
  /// Those that a first scenario needs.
  package static let measuring: [String: any Command.Type] = [
    "run": RunCommand.self, "list": ListCommand.self, "check": CheckCommand.self,
    "doctor": DoctorCommand.self,
  ]

  /// The names of all, in the order of help.
  package static let names = [
    "run", "list", "check", "graph", "exercise", "show", "hint", "matrix", "compare", "walk",
    "lesson", "hunt", "beliefs", "inventory", "answers", "doctor", "completions", "man", "report",
    "cut", "film", "site", "watch", "top", "snapshot", "diff", "why", "baseline",
  ]

  /// Whether `memlab-full` has a command that is not among those that a first scenario needs.
  package static func isInFullProgram(_ name: String) -> Bool {
    names.contains(name) && measuring[name] == nil
  }

  /// What can be typed: the table that parsing, help, completions and the manual are made from.
  ///
  /// - Parameters:
  ///   - app: The program whose commands are listed.
  ///   - word: The word that a command line begins with. Where it names a command, or a scenario, only that
  ///     command's page is read.
  package static func table(of app: App, for word: String? = nil) -> CommandTable {
    let named = app.scenarios.contains { $0.id == word } ? "run" : word
    let only = named.flatMap { app.commands[$0] == nil ? nil : $0 }
    let listed = names.filter { app.commands[$0] != nil || app.startsFullProgram }
    let absent =
      app.course == nil ? listed.filter { app.commands[$0]?.isOfMemlabAlone ?? true } : []
    let shared = CommandPage("shared", of: app).entries
    let about = AppText("program", of: app)
    return CommandTable(
      program: app.name, abstract: String(about.lines[0]),
      discussion: about.paragraphs(about.lines.dropFirst())[0],
      commands: listed.filter { !absent.contains($0) }.map { name in
        guard only == nil || only == name else { return CommandSpec(name, abstract: "") }
        let page = CommandPage(name, of: app)
        return app.commands[name] == nil
          ? CommandSpec(name, abstract: page.abstract) : page.spec(named: name, shared: shared)
      },
      absent: absent, defaultCommand: "run")
  }
}
