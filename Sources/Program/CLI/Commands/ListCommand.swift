import MemlabKit
import MemlabTerminalText

/// `memlab list`: the scenarios with their titles and what they measure.
enum ListCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenarios = session.scenarios
    try session.answer(
      invocation, json: ["scenarios": scenarios.map(\.json)] as JSONObject, schema: "memlab.list/1"
    ) { lines(of: scenarios, width: $0) }
    return .success
  }

  // A list, grouped by the document that the scenarios come from. Each line is at most as wide as the
  // terminal.
  private static func lines(of scenarios: [Scenario], width: Int) -> [StyledText] {
    let column = (scenarios.map(\.id.displayWidth).max() ?? 0) + 2
    func line(_ scenario: Scenario) -> StyledText {
      let title = scenario.title.truncated(to: width - 4 - column)
      return "    " + StyledText(scenario.id.padded(to: column), .emphasis) + StyledText(title)
    }
    return scenarios.inDocuments.flatMap { scenarios in
      ["  " + StyledText(scenarios[0].document.title, .dim)] + scenarios.map(line)
    }
  }
}

extension Scenario {
  /// The scenario for programs, without what it measures.
  fileprivate var json: JSONObject {
    let endings = endings.map { ending -> JSONObject in
      [
        "name": ending.name, "title": ending.title,
        // Left out where nothing is recorded yet.
        "declared": ending.expects.isUnrecorded ? nil : ending.expects.verdict,
      ]
    }
    return [
      "id": id, "title": title, "family": document.family,
      "document": ["title": document.title, "file": document.file] as JSONObject,
      "lesson": lesson, "endings": endings, "fixedBy": fixedBy, "next": next,
    ]
  }
}
