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

    /// What a text has of an ending.
    init(scenario: String, ending: String, line: Int, declaration: Declaration) {
      (self.scenario, self.ending, self.line) = (scenario, ending, line)
      self.declaration = declaration
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
}

extension Declaration {
  /// What a measurement is expected to be from now on.
  init(recordedOf trial: TrialReport) {
    let heap = trial.heap?.paths ?? []
    let held = Dictionary(grouping: heap, by: \.type).mapValues { chains in
      Set(chains.map { "\($0.holder)" }).sorted()
    }
    self.init(
      recorded: trial.verdict, objects: trial.objects, tasks: trial.tasks,
      metrics: trial.metrics, held: held)
  }

  /// What a text has recorded.
  ///
  /// - Parameter held: the descriptions of who holds the survivors, by type.
  init(
    recorded verdict: Verdict, objects: [ObjectCount], tasks: [TaskCount],
    metrics: [Metric: Int], held: [String: [String]]
  ) {
    self.init(
      verdict, objects: objects, tasks: tasks, metrics: metrics,
      held: held.mapValues { DeclaredHolder(oneOf: $0) }, isRecorded: true)
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
