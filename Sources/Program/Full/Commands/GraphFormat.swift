package import MemlabKit

/// The forms in which `memlab graph` can draw.
package enum GraphFormat: String, CaseIterable {
  /// Mermaid, which forges draw in Markdown.
  case mermaid
  /// Graphviz.
  case dot
  /// A tree of lines, as a terminal shows it.
  case text

  /// A graph in this form, ending in a line break.
  ///
  /// - Parameter title: what the graph is of; a comment in the forms that have comments.
  package func drawing(of graph: OwnershipGraph, title: String) -> String {
    let title = title.shown()
    return switch self {
    case .mermaid: MermaidGraph.drawing(of: graph, title: title)
    case .dot: DotGraph.drawing(of: graph, title: title)
    case .text: TextGraph.drawing(of: graph, title: title)
    }
  }
}

/// A graph as a Mermaid flowchart, see https://mermaid.js.org/syntax/flowchart.html.
private enum MermaidGraph {
  /// A graph below its title, a comment.
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    // Two of these signs and a brace begin a directive, also in a comment.
    var lines = ["%% \(title.replacing(scalars: ["%": "#37;"]))", "flowchart LR"]
    if graph.nodes.isEmpty { lines.append("  n0[\"nothing is left\"]") }
    for (index, node) in graph.nodes.enumerated() { lines.append("  n\(index)" + shape(node)) }
    for edge in graph.edges {
      let label = edge.label.isEmpty ? "" : "|\"\(escaped(edge.label))\"|"
      lines.append("  n\(edge.from) -->\(label) n\(edge.to)")
    }
    if !graph.survivors.isEmpty {
      let names = graph.survivors.map { "n\($0)" }.joined(separator: ",")
      lines += ["  classDef leaked stroke:#c00,stroke-width:3px", "  class \(names) leaked"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func shape(_ node: OwnershipGraph.Node) -> String {
    let name = escaped(node.name)
    return switch node.kind {
    case .root: "([\"\(name)\"])"
    case .passage: ">\"\(name)\"]"
    case .object: "[\"\(name)\"]"
    }
  }

  // A number sign begins an entity in Mermaid if a semicolon ends it, and angle brackets begin HTML.
  private static func escaped(_ text: String) -> String {
    var entities: [Unicode.Scalar: String] = [
      "\"": "#quot;", "<": "#lt;", ">": "#gt;", "%": "#37;",
    ]
    if text.contains(";") { entities["#"] = "#35;" }
    return text.shown().replacing(scalars: entities)
  }
}

/// A graph for Graphviz, see https://graphviz.org/doc/info/lang.html.
private enum DotGraph {
  /// A graph below its title, a comment.
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var lines = ["// \(title)", "digraph ownership {", "  rankdir=LR", "  node [shape=box]"]
    if graph.nodes.isEmpty { lines.append("  n0 [label=\"nothing is left\", shape=plaintext]") }
    for (index, node) in graph.nodes.enumerated() {
      let color = graph.survivors.contains(index) ? ", color=red, penwidth=2" : ""
      lines.append("  n\(index) [label=\"\(node.name.inGraphviz)\"\(shape(node))\(color)]")
    }
    for edge in graph.edges {
      let label = edge.label.isEmpty ? "" : " [label=\"\(edge.label.inGraphviz)\"]"
      lines.append("  n\(edge.from) -> n\(edge.to)\(label)")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private static func shape(_ node: OwnershipGraph.Node) -> String {
    switch node.kind {
    case .root: ", shape=oval"
    case .passage: ", shape=note"
    case .object: ""
    }
  }
}

/// A graph as a tree of lines, each object below what holds it.
private enum TextGraph {
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var tree = Tree(graph: graph)
    let held = Set(graph.edges.filter { $0.from != $0.to }.map(\.to))
    let roots = graph.nodes.indices.filter { !held.contains($0) }
    // Where there is a cycle and no root, the tree begins at its first object.
    for node in roots + Array(graph.nodes.indices) where !tree.drawn.contains(node) {
      tree.draw(node, behind: "  ", margin: "  ")
    }
    let lines = tree.lines.isEmpty ? ["  nothing is left"] : tree.lines
    return ([title] + lines).joined(separator: "\n") + "\n"
  }
}

private struct Tree {
  let graph: OwnershipGraph
  private(set) var drawn: Set<Int> = []
  private(set) var lines: [String] = []

  /// Draws a node and all that it holds; what has been drawn already is only named.
  mutating func draw(_ node: Int, behind head: String, margin: String, isCut: Bool = false) {
    let isNew = drawn.insert(node).inserted
    let remark = isNew ? graph.remark(ofNode: node).map { "   " + $0 } ?? "" : ", see above"
    let cut = isCut ? "   the edge to cut" : ""
    lines.append(head + graph.nodes[node].name.shown() + remark + cut)
    guard isNew else { return }
    let edges = graph.edges.enumerated().filter { $0.element.from == node }
    for (place, (index, edge)) in edges.enumerated() {
      let isLast = place == edges.count - 1
      let label = edge.label.isEmpty ? "" : edge.label.shown() + " → "
      draw(
        edge.to, behind: margin + (isLast ? "└─ " : "├─ ") + label,
        margin: margin + (isLast ? "   " : "│  "), isCut: graph.cuts.contains(index))
    }
  }
}
