import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// `memlab lesson [name]`: lists the lessons, or shows one in the terminal.
enum LessonCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "lesson",
      abstract: "List the lessons, or read one.",
      discussion: """
        The lessons are files of the checkout. They are looked for above the working directory, and \
        above the program, which 'swift run' builds inside the checkout. On a terminal, a lesson stops \
        at each question and takes your answer before it shows what is measured; with --all, the \
        program in $PAGER, or 'less', shows it as a whole, with what is for the teacher.
        """,
      arguments: [
        ArgumentSpec(
          "lesson", help: "Its number, a part of its name, or a scenario that it teaches.",
          values: .lesson, isOptional: true)
      ],
      options: [.flag("all", help: "Show the whole lesson without stopping."), .color])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let shelf = LessonShelf.find() else { throw NoLessons() }
    let terminal = session.terminal(for: invocation)
    guard let name = invocation.positionals.first else {
      try session.write(list(shelf, session), for: invocation)
      return .success
    }
    let lesson = try choose(name, from: shelf, invocation, in: session)
    let layOut = { (text: String) in
      MarkdownPage(text) { try? GraphCommand.text(of: $0, in: session) }
        .lines(width: min(terminal.width, 100))
    }
    let source = try shelf.text(of: lesson)
    if terminal.isInteractive, SystemCalls.isTerminal(0), !invocation.flag("all") {
      let dialog = LessonDialog(
        output: session.output, usesColor: terminal.usesColor,
        rows: RawTerminal.size(of: session.output, fallback: terminal.width).rows, layOut: layOut,
        readAnswer: { readLine() })
      try dialog.run(
        LessonPart.parts(of: source), closing: closing(of: lesson, shelf, in: session))
      return .success
    }
    let text = layOut(source).map { $0.rendered(color: terminal.usesColor) + "\n" }.joined()
    if terminal.isInteractive, Pager.show(text) { return .success }
    try session.output.write(text)
    return .success
  }

  /// What to do after a lesson: its exercises, then the lesson that follows it.
  private static func closing(
    of lesson: String, _ shelf: LessonShelf, in session: Session
  ) -> String {
    let exercises = session.exercises.filter { $0.lesson == lesson }.map(\.number)
    let next = shelf.lessons.drop { $0 != lesson }.dropFirst().first.map { $0.prefix(2) }
    let commands =
      exercises.map { "memlab exercise \($0)" } + (next.map { ["memlab lesson \($0)"] } ?? [])
    return commands.isEmpty ? "" : "\nnext: " + commands.joined(separator: " · ") + "\n"
  }

  private static func list(_ shelf: LessonShelf, _ session: Session) throws -> [StyledText] {
    var table = Table(columns: [.text(), .text(gutter: 3)])
    for folder in shelf.lessons {
      let count = session.scenarios.filter { $0.lesson == folder }.count
      table.add([
        StyledText(try shelf.title(of: folder), .emphasis),
        StyledText(count > 0 ? counted(count, "scenario") : "", .dim),
      ])
    }
    let hint = "read one: memlab lesson \(shelf.lessons[0].prefix(2))"
    return table.lines(indent: 2) + ["", StyledText(hint, .dim)]
  }

  private static func choose(
    _ name: String, from shelf: LessonShelf, _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> String {
    let number = Int(name).map { $0 < 10 ? "0\($0)-" : "\($0)-" }
    let taught = session.scenarios.first { $0.id == name }?.lesson
    let found = shelf.lessons.filter { folder in
      if let number { return folder.hasPrefix(number) }
      return taught.map { folder == $0 } ?? folder.contains(name.lowercased())
    }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw invocation.usageError(
        "\(quoted(name)) could be several lessons: \(found.joined(separator: ", ")).")
    }
    throw invocation.usageError(
      "There is no lesson \(quoted(name)). See 'memlab lesson' for all of them.",
      suggestions: suggestions(for: name, shelf, in: session))
  }
}

extension LessonCommand {
  /// Lessons with a word in their name that is close to what was typed, then scenarios.
  private static func suggestions(
    for name: String, _ shelf: LessonShelf, in session: Session
  ) -> [String] {
    let words = nearest(
      to: name, among: shelf.lessons.flatMap { $0.split(separator: "-").map(String.init) })
    let lessons = shelf.lessons.filter { lesson in words.contains { lesson.contains($0) } }
    return Array((lessons + nearest(to: name, among: session.scenarios.map(\.id))).prefix(3))
  }
}

/// There are no lessons where memlab looks for them.
struct NoLessons: Error, CustomStringConvertible {
  var description: String {
    "the lessons are not here: there is no checkout of memlab above the working directory, nor "
      + "above the program; run 'swift run memlab lesson' in a checkout"
  }
}
