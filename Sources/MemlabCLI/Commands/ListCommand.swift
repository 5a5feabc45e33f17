import MemlabKit

/// `memlab list`: the scenarios with their titles and what they measure.
enum ListCommand: Command {
  static let spec = CommandSpec(
    "list",
    abstract: "List the scenarios, by document.",
    options: [.color])

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let terminal = session.terminal(for: invocation)
    for line in ScenarioList.lines(of: session.scenarios, width: terminal.width) {
      try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
    }
    return .success
  }
}

/// Scenarios as a list, grouped by the document that they come from.
enum ScenarioList {
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
