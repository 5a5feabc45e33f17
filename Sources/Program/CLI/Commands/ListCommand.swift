import MemlabKit
import MemlabTerminalText

/// `memlab list`: the scenarios with their titles and what they measure.
enum ListCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "list", abstract: "List the scenarios, by document.",
      options: [
        .option(
          "format", valueName: "format", help: "How the list is written.",
          values: .cases(of: ReportFormat.self), default: ReportFormat.text.rawValue),
        .color,
      ])
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    if invocation.choice("format", as: ReportFormat.self) == .json {
      let list = ScenarioDocument(of: session.scenarios)
      try session.output.write(VersionedJSON.text(of: list, schema: ScenarioDocument.schema) + "\n")
      return .success
    }
    let terminal = session.terminal(for: invocation)
    try session.write(
      ScenarioList.lines(of: session.scenarios, width: terminal.width), for: invocation)
    return .success
  }
}

/// Scenarios as a list, grouped by the document that they come from.
enum ScenarioList {
  /// The lines of the list, each at most as wide as the terminal.
  static func lines(of scenarios: [Scenario], width: Int) -> [StyledText] {
    let column = (scenarios.map(\.id.displayWidth).max() ?? 0) + 2
    var lines: [StyledText] = []
    var document: Document?
    for scenario in scenarios {
      if scenario.document != document {
        lines.append("  " + StyledText(scenario.document.title, .dim))
        document = scenario.document
      }
      let title = scenario.title.truncated(to: width - 4 - column)
      lines.append("    " + StyledText(scenario.id.padded(to: column), .emphasis) + .init(title))
    }
    return lines
  }
}

/// The scenarios for programs; encoded, it is the schema `memlab.list/1`.
struct ScenarioDocument: Encodable {
  /// The version of the schema, the first key of the JSON form.
  static let schema = "memlab.list/1"

  /// A scenario, without what it measures.
  struct Entry: Encodable {
    /// What is typed to run it.
    let id: String
    /// What it shows, in a few words.
    let title: String
    /// The word by which `memlab matrix` and `--family` know it.
    let family: String
    /// The published text that it comes from.
    let document: Source
    /// The folder in `Lessons` that teaches it, or another path; left out where there is none.
    let lesson: String?
    /// Its endings, in the order in which they run.
    let endings: [EndingEntry]
    /// The scenario that fixes it; left out where there is none.
    let fixedBy: String?
    /// The scenario that follows in the course; left out where there is none.
    let next: String?
  }

  /// A published text.
  struct Source: Encodable {
    /// Its title, in English.
    let title: String
    /// The file that it is kept in, or the address at which it is published.
    let file: String
  }

  /// An ending, and what is expected of it.
  struct EndingEntry: Encodable {
    /// What `--ending` takes.
    let name: String
    /// What happens, in a few words.
    let title: String
    /// The verdict that its scenario declares: `clean`, `leak`, `race` or `split`; left out where
    /// none is recorded yet.
    let declared: Verdict?
  }

  /// The scenarios, in the order of the course.
  let scenarios: [Entry]

  /// A list of these scenarios.
  init(of scenarios: [Scenario]) {
    self.scenarios = scenarios.map { scenario in
      let document = scenario.document
      return Entry(
        id: scenario.id, title: scenario.title, family: document.family,
        document: Source(title: document.title, file: document.file), lesson: scenario.lesson,
        endings: scenario.endings.map {
          EndingEntry(
            name: $0.name, title: $0.title,
            declared: $0.expects.isUnrecorded ? nil : $0.expects.verdict)
        },
        fixedBy: scenario.fixedBy, next: scenario.next)
    }
  }
}
