package import MemlabHeapModel

/// What running a scenario has measured: the value that every reporter renders.
///
/// Encoded, it is the schema `memlab.report/1`.
package struct Report: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.report/1"

  /// The scenario's id.
  package let scenario: String
  /// The file name, or the address, of the document that the scenario comes from.
  package let document: String
  /// The endings that were run, in the scenario's order.
  package let trials: [TrialReport]
  /// Whether every trial measured what the scenario declares.
  package let asExpected: Bool
  /// Why there is no second witness, as a sentence; nil when there is one.
  package let remark: String?

  /// A report on these trials of a scenario.
  ///
  /// - Parameter remark: why there is no second witness, as a sentence.
  package init(scenario: Scenario, trials: [TrialReport], remark: String? = nil) {
    (self.scenario, self.document) = (scenario.id, scenario.document.file)
    (self.trials, self.remark) = (trials, remark)
    self.asExpected = trials.allSatisfy(\.asExpected)
  }
}

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
    (self.ending, self.steps) = (ending.name, steps)
    (verdict, liveTasks) = (ending.judge(totals), totals.liveTasks)
    objects = ending.expects.ordered(totals.objects)
    tasks = ending.expects.ordered(totals.tasks)
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

  /// What a table of results shows of an ending that has measured what it declares.
  package init(asDeclaredBy ending: Ending) {
    let declared = ending.expects
    (self.ending, verdict, asExpected) = (ending.name, declared.verdict, true)
    (objects, tasks, metrics) = (declared.objects, declared.tasks, declared.metrics)
    liveTasks = tasks.reduce(0) { $0 + $1.live }
    (steps, claims, differences, heap) = ([], [], [], nil)
  }

  /// Who holds what is left at the end, with what leaked and the edges to cut.
  ///
  /// Only its tasks are in it where the heap cannot be read.
  package var graph: OwnershipGraph {
    OwnershipGraph(heap?.paths ?? [], unfinished: tasks.filter { $0.live > 0 }.map(\.name))
  }

  /// Who holds the survivors of a type in the end, each once: `Song.playlist`, `task forwarder`.
  ///
  /// Empty where the heap cannot be read.
  package func holders(of type: String) -> [String] {
    (heap?.paths.filter { $0.type == type } ?? []).map { "\($0.holder)" }.uniqued()
  }

  /// What the unfinished tasks of a name wait for, each once: `AsyncStream.Iterator.next()`.
  ///
  /// Empty where the heap cannot be read, and where only the holders were asked for.
  package func waits(ofTask name: String) -> [String] {
    (heap?.tasks.filter { $0.name == name } ?? []).compactMap(\.suspendedIn).uniqued()
  }
}

/// One step of a trial and what changed in it.
package struct StepRecord: Codable, Sendable {
  /// The step's place in the trial, from 1.
  package let index: Int
  /// What is done in the step.
  package let text: String
  /// What the ledger saw, in its own order: `+ DataCacheRepoImpl`, `- task consumer`.
  package let changes: [String]
  /// Where the step is written; not a part of the JSON report, which would change with every line.
  package internal(set) var place: CodeLocation?

  /// A step that is over.
  package init(index: Int, text: String, changes: [String], place: CodeLocation? = nil) {
    (self.index, self.text, self.changes, self.place) = (index, text, changes, place)
  }

  private enum CodingKeys: String, CodingKey { case index, text, changes }
}

/// What a trial comes to.
public enum Verdict: String, Codable, Sendable, CaseIterable {
  /// Everything that was created is gone and every task has finished.
  case clean
  /// An object or a task is left that nothing will ever release.
  case leak
  /// Updates were lost to a data race.
  case race
  /// The values were shared out among consumers that each wanted all of them.
  case split

  /// The verdict that the counts alone give.
  ///
  /// A race counts before a leak: where updates are lost, the counts are a matter of luck.
  public static func measured(from totals: Totals) -> Verdict {
    if totals.metrics[.lostUpdates, default: 0] > 0 { return .race }
    return totals.aliveObjects > 0 || totals.liveTasks > 0 ? .leak : .clean
  }
}
