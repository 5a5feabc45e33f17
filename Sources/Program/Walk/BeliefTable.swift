package import MemlabKit

/// What rules expect of endings, and where that is not what was measured.
package struct BeliefTable: Sendable {
  /// An ending, and what each rule makes of it.
  package struct Row: Sendable {
    /// The scenario's id.
    package let scenario: String
    /// The ending's name.
    package let ending: String
    /// The folder of the lesson that the scenario belongs to; nil where there is none.
    fileprivate let lesson: String?
    /// What is done in each step.
    package let steps: [String]
    /// What was measured after each step.
    package let measured: [Expectation]
    /// What is asked about the ending; nil where there is nothing to ask.
    package let question: CauseQuestion?
    /// What each rule expects, in the order of the rules.
    package let expected: [ExpectedRun]

    /// The row of a film.
    package init(_ scenario: Scenario, _ ending: Ending, _ film: Film) {
      (self.scenario, self.ending, lesson) = (scenario.id, ending.name, scenario.lesson)
      question = CauseQuestion(about: film)
      steps = film.moments.map(\.step.text)
      let (run, type) = (RecordedRun(of: film), question?.type)
      measured = run.measured
      expected = BeliefRule.all.map { $0.expectation(of: run, about: type) }
    }

    /// Whether an ending shows that a rule is not true: a count after a step is another one, or what
    /// holds the object in the end is something else.
    package func refutes(rule: Int) -> Bool {
      expected[rule].steps != measured || isWrong(expected[rule].cause)
    }

    /// Whether this is no answer to the question.
    package func isWrong(_ cause: Cause?) -> Bool {
      cause.flatMap { question?.answers.contains($0) } == false
    }
  }

  /// The endings, in the order of the catalog.
  package let rows: [Row]

  /// A table of these rows.
  package init(_ rows: [Row]) { self.rows = rows }

  /// The endings that refute a rule, those with the fewest steps first.
  package func refuting(rule: Int) -> [Row] {
    rows.enumerated().filter { $0.element.refutes(rule: rule) }.sorted {
      ($0.element.measured.count, $0.offset) < ($1.element.measured.count, $1.offset)
    }.map(\.element)
  }

  /// The first rule by which a wrong answer to what holds an object is right, and an ending of another
  /// scenario about which that rule is wrong, too.
  ///
  /// Of the endings, those of the same lesson come first, and of these the one with the fewest steps.
  ///
  /// - Returns: nil where the answer is right, or where no rule gives it; without another ending where
  ///   there is none.
  package func belief(
    behind cause: Cause, about ending: String, of scenario: String
  ) -> (rule: BeliefRule, elsewhere: Row?)? {
    guard let row = rows.first(where: { ($0.scenario, $0.ending) == (scenario, ending) }),
      row.isWrong(cause), let rule = row.expected.firstIndex(where: { $0.cause == cause })
    else { return nil }
    let others = rows.filter { other in
      other.scenario != scenario
        && other.expected[rule].isWrong(about: other.question, measured: other.measured)
    }
    let near = others.filter { $0.lesson == row.lesson }
    let shortest = (near.isEmpty ? others : near).min { $0.measured.count < $1.measured.count }
    return (BeliefRule.all[rule], shortest)
  }

  /// The wrong answers that people give about some scenarios, and that no rule predicts for any ending
  /// that they are wrong about: `retain-cycle: nobody`.
  ///
  /// Nothing is said of scenarios of which the table has not all endings.
  package func unpredicted(of scenarios: [Scenario]) -> [String] {
    scenarios.flatMap { scenario -> [String] in
      let rows = rows.filter { $0.scenario == scenario.id }
      guard rows.count == scenario.endings.count else { return [] }
      let causes = scenario.beliefs.map(\.cause).filter { cause in
        !rows.contains { row in row.isWrong(cause) && row.expected.contains { $0.cause == cause } }
      }
      return causes.map { "\(scenario.id): \($0)" }
    }
  }

  /// The fewest endings that refute each rule and tell all rules apart, as far as there are such.
  package var smallestSet: [Row] {
    let count = BeliefRule.all.count
    let pairs = (0..<count).flatMap { one in (one..<count).map { (one, $0) } }
    let told = rows.map { row in
      Set(
        pairs.indices.filter { pair in
          let (one, other) = pairs[pair]
          return one == other ? row.refutes(rule: one) : row.expected[one] != row.expected[other]
        })
    }
    let all = told.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let tellers = pairs.indices.map { pair in told.indices.filter { told[$0].contains(pair) } }
    for size in 0...rows.count {
      if let places = Self.cover(all, by: told, tellers, atMost: size) {
        return places.sorted().map { rows[$0] }
      }
    }
    return rows
  }

  // Goes on from the pair that the fewest endings tell apart: one of those has to be taken.
  private static func cover(
    _ open: Set<Int>, by told: [Set<Int>], _ tellers: [[Int]], atMost size: Int
  ) -> [Int]? {
    guard let fewest = open.map({ tellers[$0] }).min(by: { $0.count < $1.count }) else { return [] }
    guard size > 0 else { return nil }
    let widest = fewest.sorted {
      told[$0].intersection(open).count > told[$1].intersection(open).count
    }
    for row in widest {
      if let rest = cover(open.subtracting(told[row]), by: told, tellers, atMost: size - 1) {
        return [row] + rest
      }
    }
    return nil
  }
}
