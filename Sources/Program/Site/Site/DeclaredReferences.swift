import MemlabKit

/// The `weak` and `unowned` properties of the code under study. They hold nothing, so no picture that
/// was read from the heap has them; they are drawn as the code declares them.
struct DeclaredReferences {
  /// A property, and the classes that it joins.
  private struct Property { let holder, label, held: String }

  private let properties: [Property]

  /// Those of some code.
  init(_ codes: [FilmReel.Code]) {
    properties = codes.flatMap { code in
      var holder = ""
      return code.text.split(separator: "\n").compactMap { line -> Property? in
        if let name = line.firstMatch(of: /^[^\/]*\b(?:class|actor) (?!func |var )(\w+)/) {
          holder = String(name.1)
        }
        guard
          let found = line.firstMatch(
            of: /\b(weak|unowned)(?:\(\w+\))? (?:var|let) (\w+): ([\w.]+)/)
        else { return nil }
        return Property(holder: holder, label: "\(found.1) \(found.2)", held: String(found.3))
      }
    }
  }

  /// A picture with an arrow for each property both of whose classes it has one object of.
  func added(to graph: OwnershipGraph) -> OwnershipGraph {
    let edges = properties.compactMap { property -> OwnershipGraph.Edge? in
      guard let from = graph.only(property.holder), let to = graph.only(property.held) else {
        return nil
      }
      return OwnershipGraph.Edge(from: from, to: to, label: property.label)
    }
    return OwnershipGraph(nodes: graph.nodes, edges: graph.edges + edges)
  }
}

extension OwnershipGraph {
  /// The place of the only object of a class; nil where there are more, or none.
  fileprivate func only(_ type: String) -> Int? {
    let places = nodes.indices.filter { place in
      let name = nodes[place].name
      return nodes[place].kind == .object && (name == type || name.hasPrefix("\(type) "))
    }
    return places.count == 1 ? places[0] : nil
  }
}

extension OwnershipGraph.Edge {
  /// Whether it is declared, and not read from the heap. No property that was read has a space in its
  /// name.
  var isDeclared: Bool { label.hasPrefix("weak ") || label.hasPrefix("unowned ") }
}
