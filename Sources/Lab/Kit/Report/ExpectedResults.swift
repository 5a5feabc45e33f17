import MemlabHeapModel

/// What was recorded that endings measure, for those that declare nothing in code.
///
/// A text that is read in a diff: each ending has a paragraph, and each count a line of its own.
package struct ExpectedResults: Sendable {
  /// What was recorded of one ending.
  package struct Entry: Sendable {
    /// The scenario's id.
    package let scenario: String
    /// The ending's name.
    package let ending: String
    /// The line of the text that names it, from 1; 0 where it comes from no text.
    package let line: Int
    /// What is expected.
    package var declaration: Declaration

    /// What was measured of an ending.
    package init(_ scenario: String, _ trial: TrialReport) {
      (self.scenario, ending, line) = (scenario, trial.ending, 0)
      declaration = Declaration(recordedOf: trial)
    }

    /// An ending of which a text has nothing yet.
    init(scenario: String, ending: String, line: Int) {
      (self.scenario, self.ending, self.line) = (scenario, ending, line)
      declaration = changed(Declaration(.clean)) { $0.isRecorded = true }
    }

    /// The lines that a text has of it.
    package var lines: [String] {
      ["scenario \(scenario), ending \(ending)"] + declaration.recordedLines.map { "  \($0)" }
    }
  }

  /// What was recorded, in the order of the text.
  package var entries: [Entry]

  /// These results.
  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// What was recorded of an ending; nil where nothing was.
  package func declaration(of ending: String, in scenario: String) -> Declaration? {
    entries.first { ($0.scenario, $0.ending) == (scenario, ending) }?.declaration
  }

  /// The first line of each such text.
  static let heading = "# Expected results of scenarios, format 1."

  /// The text, ending in a line break.
  ///
  /// - Parameter program: the name of the program, as typed.
  package func text(for program: String) -> String {
    let start = [
      Self.heading,
      "# '\(program) check --record' writes this file, and '\(program) check' compares with it.",
    ]
    return (start + entries.flatMap { [""] + $0.lines }).joined(separator: "\n") + "\n"
  }

  /// Reads a text that was recorded.
  ///
  /// - Throws: ``ExpectedResultsError`` for the first line that is not understood.
  package init(parsing text: String) throws(ExpectedResultsError) {
    var reader = Reader()
    // A checkout on another system may have other line breaks.
    let lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == Self.heading else {
      throw ExpectedResultsError(line: 1, "the first line is not '\(Self.heading)'")
    }
    for (index, line) in lines.enumerated() { try reader.read(String(line), number: index + 1) }
    try reader.endEntry()
    self.init(reader.entries)
  }

  /// Reads line by line.
  private struct Reader {
    var entries: [Entry] = []
    private var hasVerdict = true
    private var last: Int { entries.count - 1 }

    mutating func read(_ line: String, number: Int) throws(ExpectedResultsError) {
      let words = line.drop { $0 == " " }
      if words.isEmpty || words.hasPrefix("#") { return }
      if line.hasPrefix("scenario ") {
        try endEntry()
        return try begin(line, number: number)
      }
      guard line.hasPrefix("  "), !entries.isEmpty, readCount(String(words)) else {
        throw ExpectedResultsError(line: number, "'\(line.prefix(60))' is not understood")
      }
    }

    func endEntry() throws(ExpectedResultsError) {
      guard hasVerdict else {
        throw ExpectedResultsError(line: entries[last].line, "the ending has no verdict")
      }
    }

    private mutating func begin(_ line: String, number: Int) throws(ExpectedResultsError) {
      guard let match = line.wholeMatch(of: #/scenario (\S+), ending (.+)/#) else {
        throw ExpectedResultsError(line: number, "'scenario …, ending …' is expected here")
      }
      let (scenario, ending) = (String(match.1), String(match.2))
      if let first = entries.first(where: { ($0.scenario, $0.ending) == (scenario, ending) }) {
        throw ExpectedResultsError(
          line: number, "the ending is also in line \(first.line); keep one of the two")
      }
      entries.append(Entry(scenario: scenario, ending: ending, line: number))
      hasVerdict = false
    }

    /// Reads one count into the latest entry; false where the words are not a count.
    private mutating func readCount(_ words: String) -> Bool {
      if let match = words.wholeMatch(of: #/object (.+): (\d+) created, (\d+) deinitialised/#),
        let created = Int(match.2), let deinitialized = Int(match.3)
      {
        entries[last].declaration.objects.append(
          ObjectCount(Self.unescaped(match.1), created: created, deinitialized: deinitialized))
      } else if let match = words.wholeMatch(of: #/task (.+): (\d+) started, (\d+) finished/#),
        let started = Int(match.2), let finished = Int(match.3)
      {
        entries[last].declaration.tasks.append(
          TaskCount(Self.unescaped(match.1), started: started, finished: finished))
      } else if let match = words.wholeMatch(of: #/metric (.+): (-?\d+)/#),
        let value = Int(match.2)
      {
        entries[last].declaration.metrics[Metric(rawValue: Self.unescaped(match.1))] = value
      } else if let match = words.wholeMatch(of: #/held by (.+)/#),
        let type = entries[last].declaration.objects.last?.type
      {
        let others = entries[last].declaration.held[type]?.descriptions ?? []
        entries[last].declaration.held[type] = DeclaredHolder(
          oneOf: others + [Self.unescaped(match.1)])
      } else if let match = words.wholeMatch(of: #/verdict (\w+)/#),
        let verdict = Verdict(rawValue: String(match.1)), !hasVerdict
      {
        entries[last].declaration.verdict = verdict
        hasVerdict = true
      } else {
        return false
      }
      return true
    }

    private static func unescaped(_ words: Substring) -> String {
      let signs: [Substring: Substring] = ["n": "\n", "r": "\r"]
      return String(words.replacing(#/\\(.?)/#.dotMatchesNewlines()) { signs[$0.1] ?? $0.1 })
    }
  }
}

extension Declaration {
  /// What a measurement is expected to be from now on.
  init(recordedOf trial: TrialReport) {
    let heap = trial.heap?.paths ?? []
    let held = Dictionary(grouping: heap, by: \.type).mapValues { chains in
      DeclaredHolder(oneOf: Set(chains.map { "\($0.holder)" }).sorted())
    }
    self.init(
      trial.verdict, objects: trial.objects, tasks: trial.tasks, metrics: trial.metrics, held: held)
    isRecorded = true
  }

  /// The declaration as a text has it, without indentation.
  fileprivate var recordedLines: [String] {
    let objects = objects.flatMap { count -> [String] in
      let counts = "\(count.created) created, \(count.deinitialized) deinitialised"
      let holders = held[count.type]?.descriptions ?? []
      return ["object \(count.type): \(counts)"] + holders.map { "  held by \($0)" }
    }
    let tasks = tasks.map { "task \($0.name): \($0.started) started, \($0.finished) finished" }
    let metrics = metrics.sorted { $0.key < $1.key }.map { "metric \($0.key): \($0.value)" }
    return (["verdict \(verdict.rawValue)"] + objects + tasks + metrics).map(\.onOneLine)
  }
}

extension DeclaredHolder {
  /// One of several holders, by their descriptions; there must be one.
  fileprivate init(oneOf descriptions: [String]) {
    let holders = descriptions.map { DeclaredHolder(.described($0)) }
    self = holders.count == 1 ? holders[0] : DeclaredHolder(.anyOf(holders))
  }

  /// The descriptions that were recorded.
  fileprivate var descriptions: [String] {
    guard case .anyOf(let holders) = kind else { return [description] }
    return holders.map(\.description)
  }
}

extension String {
  /// The text with its line breaks and backslashes written as two characters each.
  fileprivate var onOneLine: String {
    replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
  }
}

/// A text is not one of expected results.
package struct ExpectedResultsError: Error, CustomStringConvertible {
  /// The line that is not understood, from 1.
  package let line: Int
  /// What is wrong with it, as a clause.
  package let reason: String

  /// An error about a line.
  init(line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// A sentence without its full stop.
  package var description: String { "line \(line): \(reason)" }
}
