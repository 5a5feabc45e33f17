import MemlabKit

/// A graph for Graphviz, see https://graphviz.org/doc/info/lang.html.
enum DotGraph {
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var lines = ["// \(title)", "digraph ownership {", "  rankdir=LR", "  node [shape=box]"]
    if graph.nodes.isEmpty { lines.append("  n0 [label=\"nothing is left\", shape=plaintext]") }
    for (index, node) in graph.nodes.enumerated() {
      let color = graph.survivors.contains(index) ? ", color=red, penwidth=2" : ""
      lines.append("  n\(index) [label=\"\(escaped(node.name))\"\(shape(node))\(color)]")
    }
    for edge in graph.edges {
      let label = edge.label.isEmpty ? "" : " [label=\"\(escaped(edge.label))\"]"
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

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
