import MemlabHeapModel

// The form of a step in `memlab.film/1`: the step, the counts and what was read from the heap, side
// by side. The picture has all that the chains have, so the chains of a step are left out.

extension Moment: Codable {
  private enum CodingKeys: String, CodingKey {
    case index, text, changes, place, objects, tasks, notes, metrics, heap, holders, references,
      picture
  }

  /// Reads a step of a film.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    step = StepRecord(
      index: try values.decode(Int.self, forKey: .index),
      text: try values.decode(String.self, forKey: .text),
      changes: try values.decode([String].self, forKey: .changes),
      place: try values.decodeIfPresent(FilmedPlace.self, forKey: .place)?.location)
    totals = Totals(
      objects: try values.decode([ObjectCount].self, forKey: .objects),
      tasks: try values.decode([TaskCount].self, forKey: .tasks),
      notes: try values.decode([NoteCount].self, forKey: .notes),
      metrics: try values.decode([Metric: Int].self, forKey: .metrics))
    heap = try values.decodeIfPresent(HeapReport.self, forKey: .heap)
    let graph = try values.decodeIfPresent(OwnershipGraph.self, forKey: .picture)
    picture = try graph.map { graph in
      Picture(
        objects: try values.decode([Picture.Object].self, forKey: .references), graph: graph)
    }
  }

  /// Writes a step of a film.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(step.index, forKey: .index)
    try values.encode(step.text, forKey: .text)
    try values.encode(step.changes, forKey: .changes)
    try values.encodeIfPresent(step.place.map(FilmedPlace.init), forKey: .place)
    try values.encode(totals.objects, forKey: .objects)
    try values.encode(totals.tasks, forKey: .tasks)
    try values.encode(totals.notes, forKey: .notes)
    try values.encode(totals.metrics, forKey: .metrics)
    try values.encodeIfPresent(heap?.withoutPaths, forKey: .heap)
    try values.encode(holders, forKey: .holders)
    try values.encodeIfPresent(picture?.objects, forKey: .references)
    try values.encodeIfPresent(graph, forKey: .picture)
  }
}

extension HeapReport {
  fileprivate var withoutPaths: HeapReport {
    HeapReport(
      alive: alive, liveTasks: liveTasks, paths: [], tasks: tasks, cycles: cycles,
      leakedBlocks: leakedBlocks, leakedBytes: leakedBytes)
  }
}

/// A line of a source file as a film has it.
private struct FilmedPlace: Codable {
  let file: String
  let line: Int

  init(_ location: CodeLocation) { (file, line) = (location.file, location.line) }

  var location: CodeLocation { CodeLocation(file: file, line: line) }
}

extension Picture.Object: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, name, heldBy, referencesFound, namedRoots, retainCount
  }

  /// Reads an object of a film.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      type: try values.decode(String.self, forKey: .type),
      name: try values.decode(String.self, forKey: .name),
      holders: try values.decode([Holder].self, forKey: .heldBy),
      account: RetainAccount(
        referencesFound: try values.decode(Int.self, forKey: .referencesFound),
        namedRoots: try values.decode(Int.self, forKey: .namedRoots),
        retainCount: try values.decodeIfPresent(Int.self, forKey: .retainCount)))
  }

  /// Writes an object of a film.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(type, forKey: .type)
    try values.encode(name, forKey: .name)
    try values.encode(holders, forKey: .heldBy)
    try values.encode(account.referencesFound, forKey: .referencesFound)
    try values.encode(account.namedRoots, forKey: .namedRoots)
    try values.encodeIfPresent(account.retainCount, forKey: .retainCount)
  }
}

extension OwnershipGraph: Codable {
  private enum CodingKeys: String, CodingKey { case boxes, arrows }

  /// Reads `boxes` and `arrows`.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let nodes = try values.decode([Node].self, forKey: .boxes)
    let edges = try values.decode([Edge].self, forKey: .arrows)
    guard edges.flatMap({ [$0.from, $0.to] }).allSatisfy(nodes.indices.contains) else {
      throw DecodingError.dataCorruptedError(
        forKey: .arrows, in: values, debugDescription: "an arrow has a box that is not there")
    }
    self.init(nodes: nodes, edges: edges)
  }

  /// Writes `boxes` and `arrows`; an arrow names boxes by their places in the list, from 0.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(nodes, forKey: .boxes)
    try values.encode(edges, forKey: .arrows)
  }
}
