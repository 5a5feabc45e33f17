import MemlabHeapModel

/// A trial step by step, and what it came to.
package struct Film: Codable, Sendable {
  /// What was measured after each step.
  package let moments: [Moment]
  /// What was measured when everything had come to rest.
  package let report: TrialReport

  /// A film whose moments list types and tasks in the report's order.
  ///
  /// - Parameter shots: what was measured after each step.
  init(_ shots: [Shot], report: TrialReport) {
    let (types, tasks) = (report.objects.map(\.type), report.tasks.map(\.name))
    let names = PictureNames(shots.compactMap(\.map))
    moments = shots.map { shot in
      Moment(
        step: shot.step, totals: shot.totals,
        heap: shot.heap?.ordered(by: types, tasks: tasks),
        picture: shot.map.map { Picture(of: $0, named: names).ordered(by: types) })
    }
    self.report = report
  }

  /// Who holds what is left at the end, with what leaked and the edges to cut.
  package var result: OwnershipGraph {
    OwnershipGraph(
      report.heap?.paths ?? [], unfinished: report.tasks.filter { $0.live > 0 }.map(\.name))
  }

  private enum CodingKeys: String, CodingKey {
    case moments = "steps"
    case report = "result"
  }
}

/// What both witnesses say after a step, before the film is complete.
struct Shot: Sendable {
  /// The step that is over.
  let step: StepRecord
  /// What the ledger has counted so far.
  let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  var heap: HeapReport?
  /// Everything that holds the objects; nil where the heap cannot be read.
  var map: HolderMap?
}

/// What both witnesses say after a step.
package struct Moment: Sendable {
  /// The step that is over.
  package let step: StepRecord
  /// What the ledger has counted so far.
  package let totals: Totals
  /// What was read from the heap; nil where it cannot be read.
  package let heap: HeapReport?
  /// Who holds the objects that are alive; nil where the heap cannot be read.
  package let picture: Picture?

  /// Who holds whom after the step; nil where the heap cannot be read.
  package var graph: OwnershipGraph? { picture?.graph }

  /// Who holds the objects that are alive, type by type; empty where the heap cannot be read.
  package var holders: [HeldType] { picture?.types ?? [] }
}
