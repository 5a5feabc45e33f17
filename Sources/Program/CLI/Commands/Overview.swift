import MemlabKit
import MemlabReports
import MemlabTerminalText

/// What bare `memlab` prints, on one screen of 24 lines: what it is, where to begin, what there is.
package enum Overview {
  /// Writes it, as wide as the place that it goes to.
  static func write(in session: Session) throws(OutputError) {
    let width = Terminal(descriptor: session.output.descriptor).width
    try session.output.write(text(of: session.app, width: width))
  }

  /// The screen, ending in a line break; its example is the first scenario.
  ///
  /// - Parameters:
  ///   - app: the program.
  ///   - width: the width in columns; lines are no longer than 80.
  package static func text(of app: App, width: Int) -> String {
    let page = HelpPage(width: width)
    let blocks = app.course == nil ? plain(app) : ofCourse(app)
    let entries = blocks.flatMap(\.self).filter { !$0.label.isEmpty }
    let column = 2 + (entries.map(\.label.displayWidth).max() ?? 0) + 3
    let begin = app.course == nil ? "" : "Begin with 'memlab lesson 01'. "
    return
      blocks.reduce(page.closing(introduction(of: app))) { page, entries in
        page.closing(page.lines(of: entries, column: column).joined(separator: "\n"))
      }
      .closing("\(begin)See '\(app.name) --help' for all commands.")
      .text
  }

  private static func introduction(of app: App) -> String {
    let patterns =
      app.course == nil
      ? "It runs ownership patterns, ends each in every way that matters"
      : "It runs an ownership pattern from a published document, ends it in every way that matters"
    return
      "\(app.name) shows what Swift keeps alive, and why. \(patterns), and measures what is left."
  }

  private typealias Entries = [(label: String, explanation: String)]

  private static func ofCourse(_ app: App) -> [Entries] {
    let first = first(of: app)
    return [
      [
        ("memlab lesson 01", "read the first lesson"),
        ("memlab walk \(first)", "predict, then go through a run step by step"),
        ("memlab exercise", "find and fix leaks in code of your own"),
      ],
      [
        ("memlab \(first)", "run one scenario: what is left, and why"),
        ("memlab list", "all \(counted(app.scenarios.count, "scenario")), by document"),
        ("memlab matrix", "which pattern leaks under which ending"),
        ("memlab check", "run everything and compare with what is declared"),
      ],
    ]
  }

  private static func plain(_ app: App) -> [Entries] {
    let (program, first) = (app.name, first(of: app))
    return [
      [
        ("\(program) \(first)", "run one scenario: what is left, and why"),
        ("\(program) walk \(first)", "predict, then go through a run step by step"),
        ("\(program) list", "all \(counted(app.scenarios.count, "scenario"))"),
        ("\(program) matrix", "which pattern leaks under which ending"),
        ("\(program) check", "run everything and compare with what is declared"),
      ]
    ]
  }

  private static func first(of app: App) -> String { app.scenarios.first?.id ?? "<scenario>" }
}

/// `memlab help <scenario>`: what can be typed to learn more about it.
enum ScenarioHelp {
  /// A help page, ending in a line break.
  ///
  /// - Parameters:
  ///   - scenario: what it is about.
  ///   - app: the program.
  ///   - width: the width in columns; lines are no longer than 80.
  static func text(
    about scenario: Scenario, in app: App, width: Int = HelpLayout.mostWidth
  ) -> String {
    let (id, program) = (scenario.id, app.name)
    let page = HelpPage(width: width)
    return
      page
      .overview("\(scenario.title).", discussion: scenario.origin)
      .usage("\(program) \(id) [<options>]")
      .closing((["WHAT TO TYPE NEXT:"] + next(id, in: app, on: page)).joined(separator: "\n"))
      .closing("  See '\(program) help run' for the options.")
      .text
  }

  // A scenario's name may be so long that the column of other help pages is too narrow.
  private static func next(_ id: String, in app: App, on page: HelpPage) -> [String] {
    let program = app.name
    var entries: [(label: String, explanation: String)] = [
      ("\(program) hint \(id)", "its question and a hint"),
      ("\(program) show \(id)", "its code"),
      ("\(program) \(id)", "run it: what is left, and why"),
      ("\(program) walk \(id)", "predict, and go step by step"),
    ]
    if app.course != nil {
      entries.append(("\(program) lesson \(id)", "the lesson that teaches it"))
    }
    let column = 2 + (entries.map(\.label.displayWidth).max() ?? 0) + 2
    return page.lines(of: entries, column: column)
  }
}
