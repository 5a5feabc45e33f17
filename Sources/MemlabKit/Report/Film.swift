package import HeapGraph

/// A trial step by step, and what it came to.
package struct Film: Sendable {
  /// What was measured after each step.
  package let moments: [Moment]
  /// What was measured when everything had come to rest.
  package let report: TrialReport

  /// A film whose moments list types and tasks in the report's order.
  init(_ moments: [Moment], report: TrialReport) {
    let (types, tasks) = (report.objects.map(\.type), report.tasks.map(\.name))
    self.moments = moments.map { moment in
      Moment(
        step: moment.step, totals: moment.totals,
        heap: moment.heap?.ordered(by: types, tasks: tasks),
        holders: types.flatMap { type in moment.holders.filter { $0.type == type } })
    }
    self.report = report
  }
}

/// What both witnesses say after a step.
package struct Moment: Sendable {
  /// The step that is over.
  package let step: StepRecord
  /// What the ledger has counted so far.
  package let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?
  /// Who holds the objects that are alive; empty where the heap cannot be read.
  package let holders: [HeldType]
}

/// Who holds the objects of one type.
package struct HeldType: Sendable, Equatable {
  /// The type.
  package let type: String
  /// The holders, each once. Empty when the heap shows none: a local variable holds the object, or
  /// memory that is older than the trial.
  package let holders: [Holder]
}
