import MemlabKit

/// A graph as a list of who holds whom.
enum TextGraph {
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var lines = [title]
    if graph.nodes.isEmpty { lines.append("  nothing is left") }
    for (index, node) in graph.nodes.enumerated() {
      let mark = graph.survivors.contains(index) ? "   leaked" : ""
      lines.append("  " + node.name + mark)
      for edge in graph.edges where edge.from == index {
        let label = edge.label.isEmpty ? "" : edge.label + " → "
        lines.append("  └─ " + label + graph.nodes[edge.to].name)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
