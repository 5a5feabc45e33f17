import MemlabKit

/// `memlab help <scenario>`: what can be typed to learn more about it.
enum ScenarioHelp {
  /// A help page, ending in a line break.
  static func text(about scenario: Scenario) -> String {
    let id = scenario.id
    return HelpPage()
      .overview("\(scenario.title).", discussion: "\(scenario.document.title) · \(scenario.place)")
      .usage("memlab \(id) [<options>]")
      .closing((["WHAT TO TYPE NEXT:"] + next(id)).joined(separator: "\n"))
      .closing("  See 'memlab help run' for the options.")
      .text
  }

  // A scenario's name may be so long that the column of other help pages is too narrow.
  private static func next(_ id: String) -> [String] {
    var table = Table(columns: [.text(), .text()])
    table.add(["memlab hint \(id)", "its question and a hint"])
    table.add(["memlab show \(id)", "its code"])
    table.add(["memlab \(id)", "run it: what is left, and why"])
    table.add(["memlab walk \(id)", "predict, and go step by step"])
    table.add(["memlab lesson \(id)", "the lesson that teaches it"])
    return table.lines(indent: 2).map(\.plain)
  }
}
