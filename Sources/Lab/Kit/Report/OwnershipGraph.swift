package import MemlabHeapModel

/// Who holds whom at the end of a trial, as far as it explains why something is alive: the chains,
/// with what they have in common drawn once.
package struct OwnershipGraph: Codable, Sendable, Equatable {
  /// A place of the graph.
  package struct Node: Codable, Sendable, Hashable {
    /// What a node stands for.
    package enum Kind: String, Sendable, Codable {
      /// Something that needs nobody to hold it: a task that has not finished, a global variable.
      case root
      /// A closure, or another block that a reader did not ask about.
      case passage
      /// An object.
      case object
    }

    /// What it stands for.
    package let kind: Kind
    /// Its name, unique in the graph.
    package let name: String

    /// A node, for tests of what draws graphs.
    package init(kind: Kind, name: String) { (self.kind, self.name) = (kind, name) }
  }

  /// A strong reference.
  package struct Edge: Codable, Sendable, Hashable {
    /// The index of the node that holds.
    package let from: Int
    /// The index of the node that is held.
    package let to: Int
    /// The property's name, or how else the reference is held; empty where there is nothing to say.
    package let label: String

    /// A reference, for tests of what draws graphs.
    package init(from: Int, to: Int, label: String) {
      (self.from, self.to, self.label) = (from, to, label)
    }
  }

  /// The nodes, roots before what they hold.
  package private(set) var nodes: [Node] = []
  /// The references, in the order of the chains.
  package private(set) var edges: [Edge] = []
  /// The indices of the objects that should not be alive.
  package private(set) var survivors: [Int] = []
  /// The indices of the references to cut: the last of each chain that explains itself and does
  /// not go on from a survivor before it.
  package private(set) var cuts: [Int] = []

  /// The graph of these chains; objects of one type are one node.
  ///
  /// - Parameter tasks: the names of tasks that have not finished, drawn even if they hold nothing.
  package init(_ chains: [RetainChain], unfinished tasks: [String] = []) {
    for chain in chains { add(chain) }
    for task in tasks { survivors.append(index(of: Node(kind: .root, name: "task \(task)"))) }
  }

  /// A graph of these nodes and references, for tests of what draws graphs.
  package init(nodes: [Node], edges: [Edge], survivors: [Int] = [], cuts: [Int] = []) {
    (self.nodes, self.edges, self.survivors, self.cuts) = (nodes, edges, survivors, cuts)
  }

  /// The graph of everything that holds some objects: a node for each object, and not for each type.
  ///
  /// - Parameter names: the names of the places.
  init(_ map: HolderMap, named names: PictureNames) {
    let edges = map.references.map { reference in
      Edge(from: reference.from, to: reference.to, label: reference.link.label)
    }
    self.init(
      nodes: map.places.map { Node(kind: $0.kind, name: names[$0]) }, edges: edges.uniqued())
  }

  // An arrow names boxes by their places in the list, from 0.
  private enum CodingKeys: String, CodingKey {
    case nodes = "boxes"
    case edges = "arrows"
  }

  /// Reads boxes and arrows.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    nodes = try values.decode([Node].self, forKey: .nodes)
    edges = try values.decode([Edge].self, forKey: .edges)
    guard edges.flatMap({ [$0.from, $0.to] }).allSatisfy(nodes.indices.contains) else {
      throw DecodingError.dataCorruptedError(
        forKey: .edges, in: values, debugDescription: "an arrow has a box that is not there")
    }
  }

  /// All nodes and references of some graphs, each once.
  package static func union(of graphs: [OwnershipGraph]) -> OwnershipGraph {
    var union = OwnershipGraph(nodes: [], edges: [])
    for graph in graphs {
      let places = graph.nodes.map { union.index(of: $0) }
      union.edges += graph.edges.map {
        Edge(from: places[$0.from], to: places[$0.to], label: $0.label)
      }
    }
    union.edges = union.edges.uniqued()
    return union
  }

  /// What became of a node that should be gone: "leaked"; nil for what is only on the way.
  package func remark(ofNode node: Int) -> String? {
    guard survivors.contains(node) else { return nil }
    return nodes[node].kind == .root ? "never finishes" : "leaked"
  }

  private mutating func add(_ chain: RetainChain) {
    let goesOn = chain.links.dropLast().contains { link in
      link.target.isObject && survivors.contains { nodes[$0].name == link.target.name }
    }
    let isRoot = chain.root.kind != .cycle && chain.root.kind != .unknown
    var holder = index(of: Node(kind: isRoot ? .root : .object, name: chain.root.title))
    var last: Int?
    for link in chain.links {
      let isObject = link.target.isObject
      let held = index(of: Node(kind: isObject ? .object : .passage, name: link.target.name))
      let edge = Edge(from: holder, to: held, label: link.label)
      if !edges.contains(edge), held != holder || isObject { edges.append(edge) }
      last = edges.firstIndex(of: edge)
      holder = held
    }
    if let last, !goesOn, !cuts.contains(last) { cuts.append(last) }
    if !survivors.contains(holder) { survivors.append(holder) }
  }

  private mutating func index(of node: Node) -> Int {
    if let known = nodes.firstIndex(where: { $0.name == node.name }) { return known }
    nodes.append(node)
    return nodes.count - 1
  }
}

/// Everything that holds the objects under study at one moment, and the proof that it is everything.
package struct Picture: Sendable {
  /// An object under study.
  package struct Object: Codable, Sendable {
    /// The name of its class.
    package let type: String
    /// Its name in the picture: the class, with a number where there are several.
    package let name: String
    /// Who holds it, each once.
    package let heldBy: [Holder]
    /// The strong references to it that were found in other objects, closures, tasks and globals. With
    /// the named variables they are all: a trial with a picture that leaves out a holder is refused.
    let referencesFound: Int
    /// The variables that hold it.
    let namedRoots: Int
    /// The runtime's own count of strong references; nil for an immortal object.
    package let retainCount: Int?
  }

  /// The objects, the oldest of each type first.
  package let objects: [Object]
  /// The same as nodes and arrows, with closures, tasks and variables on the way.
  package let graph: OwnershipGraph

  /// A picture of these objects.
  init(objects: [Object], graph: OwnershipGraph) { (self.objects, self.graph) = (objects, graph) }

  /// A picture of what was found, with the objects in the order of these types.
  init(of map: HolderMap, named names: PictureNames, orderedBy types: [String]) {
    graph = OwnershipGraph(map, named: names)
    let found = map.places.indices.compactMap { index -> Object? in
      let place = map.places[index]
      return place.account.map { account in
        Object(
          type: TypeName.short(place.node.name), name: names[place],
          heldBy: map.holders(of: index), referencesFound: account.referencesFound,
          namedRoots: account.namedRoots, retainCount: account.retainCount)
      }
    }
    objects = types.flatMap { type in found.filter { $0.type == type } }
  }

  /// Who holds the objects, type by type.
  package var types: [HeldType] {
    objects.map(\.type).uniqued().map { type in
      let holders = objects.filter { $0.type == type }.flatMap(\.heldBy)
      return HeldType(type: type, holders: holders.uniqued())
    }
  }
}

/// Who holds the objects of one type.
package struct HeldType: Codable, Sendable, Equatable {
  /// The type.
  package let type: String
  /// The holders, each once.
  package let holders: [Holder]
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
    isRoot ? .root : node.isObject ? .object : .passage
  }
}

extension RetainChain.Link {
  // How a closure or a task is held says nothing: only what holds an object does.
  fileprivate var label: String { target.isObject ? inWords : "" }
}
