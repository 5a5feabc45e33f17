import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText
import MemlabWalk

/// `memlab beliefs`: what wrong laws of ownership predict, and the endings that refute them.
enum BeliefsCommand: Command {
  static let measuresMany = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let rule = try invocation.value("for").map { try place(of: $0, invocation) }
    let items = try CheckSelection(invocation, in: session).selected
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.everyStep(), onDemand: false, refusesWithoutHeap: true),
      in: session)
    let films = try measurements.films(in: session)
    let table = BeliefTable(films.map { BeliefTable.Row($0.scenario, $0.ending, $0.film) })
    let scenarios = items.map(\.scenario.id).uniqued().map(session.scenario)
    try session.answer(
      invocation, json: table.json(unpredicted: table.unpredicted(of: scenarios)),
      schema: "memlab.beliefs/1"
    ) { _ in
      rule.map { table.lines(about: $0, program: invocation.program) }
        ?? table.lines(unpredicted: table.unpredicted(of: scenarios))
    }
    return films.count == items.count ? .success : .untrusted
  }

  private static func place(of name: String, _ invocation: Invocation) throws(UsageError) -> Int {
    let names = BeliefRule.all.map(\.name)
    guard let place = names.firstIndex(of: name) else {
      throw invocation.usageError(
        "There is no belief \(quoted(name)). See 'memlab beliefs' for all of them.",
        suggestions: nearest(to: name, among: names))
    }
    return place
  }
}

extension BeliefTable.Row {
  fileprivate var title: String { "\(scenario) --ending \(ending.quotedForShell)" }
}

extension BeliefTable {
  /// The letter of a rule in the table.
  private static func letter(_ rule: Int) -> String {
    String(UnicodeScalar(UInt8(ascii: "a") + UInt8(rule)))
  }

  /// The rules, the endings that refute them, and the fewest that tell all apart.
  fileprivate func lines(unpredicted: [String]) -> [StyledText] {
    var rules = Table(columns: [.text(), .text(), .number(), .text()])
    for (place, rule) in BeliefRule.all.enumerated() {
      let count = refuting(rule: place).count
      rules.add([
        StyledText(Self.letter(place), .dim), StyledText(rule.name, .emphasis),
        StyledText("\(count)"), StyledText(rule.sentence),
      ])
    }
    let letters = BeliefRule.all.indices.map(Self.letter).joined()
    var endings = Table(columns: [.text(), .text(), .text()])
    endings.add(["scenario", "ending", StyledText(letters)], style: .dim)
    for (place, row) in rows.enumerated() {
      let isFirst = place == 0 || rows[place - 1].scenario != row.scenario
      let marks = BeliefRule.all.indices.map { row.refutes(rule: $0) ? "×" : "·" }.joined()
      endings.add([
        isFirst ? StyledText(row.scenario) : "", StyledText(row.ending), StyledText(marks),
      ])
    }
    let few = smallestSet.map { StyledText("  memlab walk \($0.title)") }
    let others = unpredicted.map { StyledText("  \($0)", .leaked) }
    let parts: [[StyledText]] = [
      [StyledText("What people believe, and how many endings refute it", .heading), ""],
      rules.lines(indent: 2),
      ["", StyledText("Where it is refuted: ×", .heading), ""],
      endings.lines(indent: 2),
      ["", StyledText("All beliefs that can be told apart here are told apart by:", .heading)], few,
      others.isEmpty ? [] : ["", "No belief predicts these answers of scenarios:"], others,
    ]
    return parts.flatMap(\.self)
  }

  /// The shortest ending that refutes a rule, step by step.
  fileprivate func lines(about rule: Int, program: String) -> [StyledText] {
    let belief = BeliefRule.all[rule]
    let found = refuting(rule: rule)
    let heading = [StyledText(belief.name, .heading) + ": \(belief.sentence)"]
    guard let row = found.first else { return heading + ["None of these endings refutes it."] }
    let expected = row.expected[rule]
    var table = Table(columns: [.number(), .text(), .text(), .text(), .text()])
    table.add(["", "after the step", "expected", "measured"], style: .dim)
    for (index, title) in row.steps.enumerated() {
      let (said, measured) = (expected.steps[index], row.measured[index])
      table.add([
        "\(index + 1)", StyledText(title), StyledText(said.inWords), StyledText(measured.inWords),
        said == measured ? "" : StyledText("×", .leaked),
      ])
    }
    var question: [StyledText] = []
    if let asked = row.question, let cause = expected.cause {
      question = [
        "", StyledText(asked.text, .emphasis), StyledText("  expected: \(cause.inWords)"),
        StyledText("  measured: \(asked.answers.map(\.inWords).sorted().joined(separator: ", "))"),
      ]
    }
    return heading + [
      StyledText("Refuted by \(counted(found.count, "ending")); the shortest is \(row.title):"), "",
    ] + table.lines(indent: 2) + question + ["", StyledText("\(program) walk \(row.title)", .dim)]
  }

  fileprivate func json(unpredicted: [String]) -> JSONObject {
    let rules = BeliefRule.all.enumerated().map { place, rule -> JSONObject in
      [
        "name": rule.name, "sentence": rule.sentence,
        "refutedBy": refuting(rule: place).map { "\($0.scenario)#\($0.ending)" },
      ]
    }
    return [
      "beliefs": rules, "tellsAllApart": smallestSet.map { "\($0.scenario)#\($0.ending)" },
      "unpredictedAnswers": unpredicted,
    ]
  }
}

extension Expectation {
  fileprivate var inWords: String {
    "\(counted(alive.count, "object"))" + (live > 0 ? ", \(counted(live, "task"))" : "")
      + (lost > 0 ? ", \(lost) lost" : "")
  }
}
