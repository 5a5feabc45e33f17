/// What follows from cutting some references after a step of a run.
///
/// Encoded, it is the schema `memlab.cut/1`.
package struct CutReport: Encodable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.cut/1"

  /// Something that stays.
  package struct Stay: Encodable, Sendable {
    /// Its name in the picture.
    package let name: String
    /// How many strong references to it are left.
    package let strongReferences: Int
    /// What holds it, as a phrase.
    package let because: String
  }

  /// The names of what was cut.
  package let cut: [String]
  /// The names of what goes, in the order in which it goes.
  package let released: [String]
  /// What stays of the objects, and why.
  package let stays: [Stay]
  /// What a tracing collector would free of that.
  package let collected: [String]
  /// That nothing of this was measured: it is always true.
  package let isComputed = true

  /// What follows from some cuts in a picture that is sorted.
  package init(_ graph: OwnershipGraph, cutting cuts: [Cuttable]) {
    let after = cuts.reduce(ReferenceCounting(graph)) { $0.cutting($1) }
    let names = { (boxes: [Int]) in boxes.map { graph.nodes[$0].name } }
    cut = cuts.map(\.name)
    released = names(after.released)
    stays = after.staying.filter { graph.nodes[$0].kind == .object }.map { box in
      Stay(
        name: graph.nodes[box].name, strongReferences: after.counts[box],
        because: "\(after.reason(for: box))")
    }
    collected = names(after.collected)
  }
}
