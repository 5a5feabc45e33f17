import MemlabHeapModel

extension OwnershipGraph {
  /// The graph of everything that holds some objects: a node for each object, and not for each type.
  ///
  /// - Parameter names: the names of the places.
  init(_ map: HolderMap, named names: PictureNames) {
    let edges = map.references.map { reference in
      Edge(from: reference.from, to: reference.to, label: reference.link.label)
    }
    self.init(
      nodes: map.places.map { Node(kind: $0.kind, name: names[$0]) },
      edges: edges.uniqued())
  }
}

/// The names of what the pictures of a film show: the same in all of them, and unique in each.
///
/// Where several have the same name anywhere in the film, they are numbered by age.
struct PictureNames {
  private let numbers: [String: [UInt64]]

  /// The names in these maps of one trial.
  init(_ maps: [HolderMap]) {
    let serials = Dictionary(grouping: maps.flatMap(\.places), by: \.title)
      .mapValues { Set($0.map(\.serial)).sorted() }
    numbers = serials.filter { $0.value.count > 1 }
  }

  /// The name of a place.
  subscript(place: HolderMap.Place) -> String {
    let number = numbers[place.title].flatMap { $0.firstIndex(of: place.serial) }
    return number.map { "\(place.title) \($0 + 1)" } ?? place.title
  }
}

extension HolderMap.Place {
  fileprivate var title: String {
    switch node.kind {
    case .block(.task): Holder.task(node.name).description
    case .global: Holder.global(node.name).description
    case .variable: Holder.variable(node.name).description
    default: node.readableName
    }
  }

  fileprivate var kind: OwnershipGraph.Node.Kind {
    if isRoot { return .root }
    return node.isObject ? .object : .passage
  }
}

extension RetainChain.Link {
  // How a closure or a task is held says nothing: only what holds an object does.
  fileprivate var label: String { target.isObject ? inWords : "" }
}
