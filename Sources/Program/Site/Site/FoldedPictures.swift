import MemlabHeapModel
import MemlabKit

/// The pictures of a film in which objects that are alike in all of them are one box: "Message × 100".
struct FoldedPictures {
  /// The pictures.
  let graphs: [OwnershipGraph?]
  // The new names by the old ones; those of boxes that stay as they are have none.
  private let names: [String: String]

  /// The same pictures, folded. Roots have names that say which they are, and are left as they are.
  init(_ graphs: [OwnershipGraph?]) {
    let boxes = graphs.compactMap(\.self).flatMap(\.nodes).uniqued().filter { $0.kind != .root }
    let numbered = Dictionary(grouping: boxes) { $0.name.withoutNumber }.filter { $1.count > 2 }
    let alike = numbered.flatMap { type, boxes in
      Dictionary(grouping: boxes) { box in graphs.map { $0?.neighbours(of: box.name) } }
        .values.filter { $0.count > 2 }.map { (name: "\(type) × \($0.count)", boxes: $0) }
    }
    let names = Dictionary(
      alike.flatMap { group in group.boxes.map { ($0.name, group.name) } }
    ) { first, _ in first }
    self.names = names
    self.graphs = graphs.map { $0?.renamed(by: names) }
  }

  /// What a box is called in them.
  func name(of box: String) -> String { names[box] ?? box }
}

/// What is inside a library, as far as a page is concerned: it neither counts these objects nor has
/// their code, and no variable holds them.
struct LibraryInsides {
  // The name of the box that stands for them, and how many may be drawn one by one.
  private static let name = "inside the library"
  private static let most = 15

  // What the code on the page declares, and the names of the objects under study.
  private let declared: Set<Substring>, studied: Set<String>

  /// What a film counts, and some code declares.
  init(_ film: Film, _ codes: [FilmReel.Code]) {
    let names = codes.flatMap { code in
      code.text.matches(of: /\b(?:class|actor|struct|enum|func) (\w+)/).map(\.1)
    }
    declared = Set(names)
    studied = Set(film.moments.flatMap { ($0.picture?.objects ?? []).map(\.name) })
  }

  /// The same pictures with one box for them, where they are too many for a glance.
  func closed(in graphs: [OwnershipGraph?]) -> [OwnershipGraph?] {
    let all = OwnershipGraph.union(of: graphs.compactMap(\.self))
    let inVariables = all.edges.filter { all.nodes[$0.from].name.hasPrefix("variable ") }.map(\.to)
    let inside = all.nodes.indices.filter { !inVariables.contains($0) }.map { all.nodes[$0] }
      .filter(isInside)
    guard inside.count > Self.most else { return graphs }
    let names = Dictionary(uniqueKeysWithValues: inside.map { ($0.name, Self.name) })
    return graphs.map { $0?.renamed(by: names, as: .passage) }
  }

  private func isInside(_ box: OwnershipGraph.Node) -> Bool {
    let words = box.name.prefix { $0 != "<" }.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return box.kind != .root && !studied.contains(box.name) && declared.isDisjoint(with: words)
  }
}

extension OwnershipGraph {
  /// What leads to a box and from it; nil where the box is not there.
  fileprivate func neighbours(of name: String) -> [[String]]? {
    guard let box = nodes.firstIndex(where: { $0.name == name }) else { return nil }
    return edges.filter { $0.from == box || $0.to == box }.map { edge in
      [
        edge.from == box ? "" : nodes[edge.from].name, edge.label,
        edge.to == box ? "" : nodes[edge.to].name,
      ]
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The same with other names, and those of one kind if it says so; boxes of one name become
  /// one, without the arrows between them.
  fileprivate func renamed(by names: [String: String], as kind: Node.Kind? = nil) -> OwnershipGraph
  {
    let renamed = nodes.map { node in
      names[node.name].map { Node(kind: kind ?? node.kind, name: $0) } ?? node
    }
    let boxes = renamed.uniqued()
    let places = renamed.map { box in boxes.firstIndex(of: box) ?? 0 }
    let arrows = edges.compactMap { edge in
      let isWithin = places[edge.from] == places[edge.to] && names[nodes[edge.from].name] != nil
      return isWithin ? nil : Edge(from: places[edge.from], to: places[edge.to], label: edge.label)
    }
    return OwnershipGraph(nodes: boxes, edges: arrows.uniqued())
  }
}
