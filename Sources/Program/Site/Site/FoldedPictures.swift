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

  /// The same with other names; boxes of one name become one.
  fileprivate func renamed(by names: [String: String]) -> OwnershipGraph {
    let renamed = nodes.map { Node(kind: $0.kind, name: names[$0.name] ?? $0.name) }
    let boxes = renamed.uniqued()
    let places = renamed.map { box in boxes.firstIndex(of: box) ?? 0 }
    let arrows = edges.map { edge in
      Edge(from: places[edge.from], to: places[edge.to], label: edge.label)
    }
    return OwnershipGraph(nodes: boxes, edges: arrows.uniqued())
  }
}
