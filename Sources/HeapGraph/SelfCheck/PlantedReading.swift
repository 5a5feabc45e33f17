/// Compares what a snapshot says with what was planted.
struct PlantedReading {
  /// What was planted.
  let graph: PlantedGraph
  /// What was read.
  let snapshot: HeapSnapshot

  /// Expects the last reference on the way to an object to be of a kind and to have a name, and
  /// the object to have no other.
  func expectEdge(_ place: String, _ kind: RetainChain.Link.Kind, _ name: String?) throws {
    let chain = try chain(to: graph.places[place] ?? 0, place)
    guard let link = chain.links.last, link.kind == kind, link.name == name else {
      throw unlike("the \(place) object is held by \(chain.links.last?.kind.rawValue ?? "-")")
    }
    guard chain.referencesFound == 1, chain.retainCount == 1 else {
      throw unlike("the \(place) object has \(chain.referencesFound) references")
    }
  }

  /// Expects the two planted objects to be the only cycle among the planted ones.
  func expectCycle() throws {
    let survey = snapshot.survey
    let planted = ["first", "second"].compactMap { graph.places[$0].flatMap(survey.block) }
    guard planted.count == 2, survey.reach.cycles.contains(where: { Set($0) == Set(planted) })
    else {
      throw unlike("the planted cycle is not found")
    }
    for place in ["first", "second"] { try expectEdge(place, .field, "partner") }
  }

  /// Expects the suspended task to be the root of what it holds.
  func expectTask(holding object: UInt) throws {
    let chain = try chain(to: object, "held")
    guard chain.root.kind == .task, chain.root.node.name == "planted", chain.referencesFound >= 1
    else {
      throw unlike("what the planted task holds is held by \(chain.root.kind.rawValue)")
    }
    guard let task = snapshot.tasks.first(where: { $0.name == "planted" }), !task.isFinished else {
      throw unlike("the planted task has no name")
    }
  }

  private func chain(to address: UInt, _ place: String) throws -> RetainChain {
    guard let block = snapshot.survey.block(at: address) else {
      throw unlike("the \(place) object is not recorded")
    }
    let chain = ChainBuilder(survey: snapshot.survey, namesFunctions: false).chain(to: block)
    guard chain.type == TypeName.qualified(Planted.self) else {
      throw unlike("the \(place) object is taken for \(chain.type)")
    }
    return chain
  }

  private func unlike(_ detail: String) -> HeapError { .unknownRuntime(detail) }
}
