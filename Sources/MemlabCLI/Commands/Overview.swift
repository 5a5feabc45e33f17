import MemlabKit

/// What bare `memlab` prints, on one screen of 24 lines: what it is, where to begin, what there is.
enum Overview {
  /// Writes it, with the course's first scenario as the example.
  static func write(in session: Session) throws(OutputError) {
    guard session.app.course != nil else { return try writePlain(in: session) }
    let first = session.scenarios.first?.id ?? "<scenario>"
    var table = Table(columns: [.text(), .text(gutter: 3)])
    for (command, meaning) in [
      ("memlab lesson 01", "read the first lesson"),
      ("memlab walk \(first)", "predict, then go through a run step by step"),
      ("memlab exercise", "find and fix leaks in code of your own"),
      ("", ""),
      ("memlab \(first)", "run one scenario: what is left, and why"),
      ("memlab list", "all \(counted(session.scenarios.count, "scenario")), by document"),
      ("memlab matrix", "which pattern leaks under which ending"),
      ("memlab check", "run everything and compare with what is declared"),
    ] { table.add([StyledText(command), StyledText(meaning)]) }
    let text = """
      memlab shows what Swift keeps alive, and why. It runs an ownership pattern from
      a published document, ends it in every way that matters, and measures what is
      left.

      \(table.lines(indent: 2).map(\.plain).joined(separator: "\n"))

      Begin with 'memlab lesson 01'. See 'memlab --help' for all commands.

      """
    try session.output.write(text)
  }

  /// Writes it for a program without a course.
  private static func writePlain(in session: Session) throws(OutputError) {
    let program = session.app.name
    let first = session.scenarios.first?.id ?? "<scenario>"
    var table = Table(columns: [.text(), .text(gutter: 3)])
    for (command, meaning) in [
      (first, "run one scenario: what is left, and why"),
      ("walk \(first)", "predict, then go through a run step by step"),
      ("list", "all \(counted(session.scenarios.count, "scenario"))"),
      ("matrix", "which pattern leaks under which ending"),
      ("check", "run everything and compare with what is declared"),
    ] { table.add([StyledText("\(program) \(command)"), StyledText(meaning)]) }
    let text = """
      \(program) shows what Swift keeps alive, and why. It runs ownership patterns, ends
      each in every way that matters, and measures what is left.

      \(table.lines(indent: 2).map(\.plain).joined(separator: "\n"))

      See '\(program) --help' for all commands.

      """
    try session.output.write(text)
  }
}

/// `memlab help <scenario>`: what can be typed to learn more about it.
enum ScenarioHelp {
  /// A help page, ending in a line break.
  static func text(about scenario: Scenario, in app: App) -> String {
    let (id, program) = (scenario.id, app.name)
    return HelpPage()
      .overview("\(scenario.title).", discussion: scenario.origin)
      .usage("\(program) \(id) [<options>]")
      .closing((["WHAT TO TYPE NEXT:"] + next(id, in: app)).joined(separator: "\n"))
      .closing("  See '\(program) help run' for the options.")
      .text
  }

  // A scenario's name may be so long that the column of other help pages is too narrow.
  private static func next(_ id: String, in app: App) -> [String] {
    let program = app.name
    var table = Table(columns: [.text(), .text()])
    table.add(["\(program) hint \(id)", "its question and a hint"])
    table.add(["\(program) show \(id)", "its code"])
    table.add(["\(program) \(id)", "run it: what is left, and why"])
    table.add(["\(program) walk \(id)", "predict, and go step by step"])
    if app.course != nil { table.add(["\(program) lesson \(id)", "the lesson that teaches it"]) }
    return table.lines(indent: 2).map(\.plain)
  }
}
