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
    var before: OwnershipGraph? = OwnershipGraph(nodes: [], edges: [])
    moments = shots.map { shot in
      let picture = shot.map.map { Picture(of: $0, named: names, orderedBy: types) }
      let cut = before.flatMap { before in picture.map { StepCut(from: before, to: $0.graph) } }
      before = picture?.graph
      return Moment(
        step: shot.step, totals: shot.totals,
        heap: shot.heap?.ordered(by: types, tasks: tasks), picture: picture, cut: cut)
    }
    self.report = report
  }

  /// A trial whose steps nobody has asked for.
  package init(of report: TrialReport) { (moments, self.report) = ([], report) }

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
  /// What the step has cut; nil where the heap cannot be read.
  package let cut: StepCut?

  /// Who holds whom after the step; nil where the heap cannot be read.
  package var graph: OwnershipGraph? { picture?.graph }

  /// Who holds the objects that are alive, type by type; empty where the heap cannot be read.
  package var holders: [HeldType] { picture?.types ?? [] }
}

/// The recorded runs of a scenario's endings, with the code that they ran.
///
/// Encoded, it is the schema `memlab.film/1`.
package struct FilmReel: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.film/1"

  /// A part of a source file.
  package struct Code: Codable, Sendable, Equatable {
    /// The file's path from the root of the checkout.
    package let path: String
    /// The number of the first line, from 1.
    package let line: Int
    /// The lines.
    package let text: String

    /// A part of a file.
    package init(path: String, line: Int, text: String) {
      (self.path, self.line, self.text) = (path, line, text)
    }
  }

  /// The scenario's id.
  package let scenario: String
  /// What the pattern is, as a phrase.
  package let title: String
  /// The title of the document that it comes from.
  package let document: String
  /// The folder in `Lessons/` that teaches it.
  package let lesson: String?
  /// The scenario that fixes it; left out where there is none.
  package let fixedBy: String?
  /// The code under study.
  package let code: [Code]
  /// Why there is no second witness, or what it cannot tell, as a sentence; left out when it tells
  /// everything.
  package let remark: String?
  /// The endings, in the order in which they run.
  package let endings: [FilmedEnding]

  /// The reel of a scenario.
  package init(
    of scenario: Scenario, code: [Code], endings: [FilmedEnding], remark: String? = nil
  ) {
    (self.scenario, title, document) = (scenario.id, scenario.title, scenario.document.title)
    (lesson, fixedBy) = (scenario.lesson, scenario.fixedBy)
    (self.code, self.remark, self.endings) = (code, remark, endings)
  }
}

/// The recorded run of one ending, or why there is none.
package struct FilmedEnding: Codable, Sendable {
  /// The ending's name.
  package let name: String
  /// What happens, as a phrase.
  package let title: String
  /// What to ask before it is shown.
  package let question: String
  /// Why it comes to its result.
  package let explanation: String
  /// What was measured, step by step; left out when the run failed.
  package let film: Film?
  /// Why nothing was measured, as a sentence; left out when there is a film.
  package let failure: String?

  /// The run of an ending.
  ///
  /// - Parameters:
  ///   - ending: what was run.
  ///   - scenario: what it is an ending of.
  ///   - film: what was measured, or the sentence that says why nothing was.
  package init(_ ending: Ending, of scenario: Scenario, film: Result<Film, some Error>) {
    (name, title) = (ending.name, ending.title)
    question = scenario.question(before: ending)
    explanation = ending.explanation
    self.film = try? film.get()
    failure = if case .failure(let error) = film { "\(error)" } else { nil }
  }
}

// The form of a step in `memlab.film/1`: the step, the counts and what was read from the heap, side
// by side. The picture has all that the chains have, so the chains of a step are left out.

extension Moment: Codable {
  private struct Rest: Codable {
    let place: CodeLocation?
    let heap: HeapReport?
    let holders: [HeldType]
    let references: [Picture.Object]?
    let picture: OwnershipGraph?
    let cut: [String]?
    let needsRun: Bool?
  }

  /// Reads a step.
  package init(from decoder: any Decoder) throws {
    let rest = try Rest(from: decoder)
    step = changed(try StepRecord(from: decoder)) { $0.place = rest.place }
    (totals, heap) = (try Totals(from: decoder), rest.heap)
    picture = rest.picture.map { Picture(objects: rest.references ?? [], graph: $0) }
    cut = rest.cut.map { StepCut(names: $0, needsRun: rest.needsRun ?? true) }
  }

  /// Writes a step.
  package func encode(to encoder: any Encoder) throws {
    try step.encode(to: encoder)
    try totals.encode(to: encoder)
    try Rest(
      place: step.place, heap: heap.map { changed($0) { $0.paths = [] } },
      holders: holders, references: picture?.objects, picture: graph, cut: cut?.names,
      needsRun: cut?.needsRun
    ).encode(to: encoder)
  }
}
