import HeapGraph

/// What one ending of a scenario has measured.
package struct TrialReport: Codable, Sendable {
  /// The ending's name.
  package let ending: String
  /// What the counts come to.
  package let verdict: Verdict
  /// Whether everything was measured as the scenario declares.
  package let asExpected: Bool
  /// How many tasks have not finished.
  package let liveTasks: Int
  /// Objects by type, the declared ones first.
  package let objects: [ObjectCount]
  /// Tasks by name, the declared ones first.
  package let tasks: [TaskCount]
  /// The scenario's own figures.
  package let metrics: [Metric: Int]
  /// The steps as they went.
  package let steps: [StepRecord]
  /// The document's sentences, held against the measurement.
  package let claims: [ClaimResult]
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?
  /// Each way in which the measurement differs from what the scenario declares, as a sentence.
  package let differences: [String]

  /// How many objects have not been deinitialized.
  package var aliveObjects: Int { objects.reduce(0) { $0 + $1.alive } }

  /// How many objects were created, of all types.
  package var createdObjects: Int { objects.reduce(0) { $0 + $1.created } }

  /// How many tasks were started, of all names.
  package var startedTasks: Int { tasks.reduce(0) { $0 + $1.started } }

  /// A report.
  ///
  /// - Parameters:
  ///   - ending: what was run.
  ///   - steps: the steps as they went.
  ///   - measurement: what was left.
  ///   - brokenPromises: what steps should have brought about and have not, as sentences.
  ///   - inOrder: whether the jobs ran in the order of their arrival, for which `expects` stands.
  init(
    ending: Ending, steps: [StepRecord], measurement: Measurement, brokenPromises: [String] = [],
    inOrder: Bool = true
  ) {
    let totals = measurement.totals
    self.ending = ending.name
    self.steps = steps
    verdict = ending.judge(totals)
    liveTasks = totals.liveTasks
    objects = ending.expects.ordered(totals.objects, by: \.type)
    tasks = ending.expects.ordered(totals.tasks, by: \.name)
    metrics = totals.metrics
    claims = ending.claims.map { $0.result(for: measurement) }
    heap = measurement.heap?.ordered(by: objects.map(\.type), tasks: tasks.map(\.name))
    let declared =
      inOrder ? ending.expects : ending.expects.forOrder(leadingTo: totals, verdict: verdict)
    differences =
      brokenPromises + declared.differences(from: totals, verdict: verdict)
      + (measurement.heap.map(declared.differences(from:)) ?? [])
      + claims.filter { !$0.asExpected }.map(\.surprise)
    asExpected = differences.isEmpty
  }
}

extension TrialReport {
  /// Who holds the survivors of a type in the end, each once: `Song.playlist`, `task forwarder`.
  ///
  /// Empty where the heap cannot be read.
  package func holders(of type: String) -> [String] {
    let chains = heap?.paths.filter { $0.type == type } ?? []
    return chains.map { "\($0.holder)" }.uniqued()
  }

  /// What the unfinished tasks of a name wait for, each once: `AsyncStream.Iterator.next()`.
  ///
  /// Empty where the heap cannot be read, and where only the holders were asked for.
  package func waits(ofTask name: String) -> [String] {
    let waiters = heap?.tasks.filter { $0.name == name } ?? []
    return waiters.compactMap(\.suspendedIn).uniqued()
  }
}
