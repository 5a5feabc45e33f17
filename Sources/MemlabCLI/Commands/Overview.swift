import MemlabKit

/// What bare `memlab` prints: what it is, where to begin, what there is.
enum Overview {
  static func write(in session: Session) throws(OutputError) {
    var text = """
      memlab shows what Swift keeps alive, and why. It runs an ownership pattern from
      a published document, ends it in every way that matters, and measures what is
      left.

        memlab strong-self      run one scenario
        memlab check            run all of them and compare with what they declare

      SCENARIOS:

      """
    for line in ScenarioList.lines(of: session.scenarios, width: 80) {
      text += line.plain + "\n"
    }
    // On most screens, this is all that is still to be seen of the beginning.
    text += "\n  Begin with 'memlab strong-self'. See 'memlab --help' for all commands.\n"
    try session.output.write(text)
  }
}

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
