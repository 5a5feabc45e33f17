import MemlabKit

/// A graph as a list of who holds whom.
enum TextGraph {
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var lines = [title]
    if graph.nodes.isEmpty { lines.append("  nothing is left") }
    for (index, node) in graph.nodes.enumerated() {
      let mark = graph.survivors.contains(index) ? "   leaked" : ""
      lines.append("  " + node.name + mark)
      lines += references(of: index, in: graph)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func references(of node: Int, in graph: OwnershipGraph) -> [String] {
    let edges = graph.edges.filter { $0.from == node }
    return edges.enumerated().map { place, edge in
      let branch = place == edges.count - 1 ? "└─ " : "├─ "
      let label = edge.label.isEmpty ? "" : edge.label + " → "
      return "  " + branch + label + graph.nodes[edge.to].name
    }
  }
}
