import MemlabKit

/// A graph as a list of who holds whom.
enum TextGraph {
  /// Who holds, who is held, by their places in a list, and how.
  typealias Edge = (from: Int, to: Int, label: String)

  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    let lines = lines(
      names: graph.nodes.map(\.name), survivors: Set(graph.survivors),
      edges: graph.edges.map { ($0.from, $0.to, $0.label) })
    return ([title] + lines).joined(separator: "\n") + "\n"
  }

  static func lines(names: [String], survivors: Set<Int>, edges: [Edge]) -> [String] {
    if names.isEmpty { return ["  nothing is left"] }
    return names.enumerated().flatMap { index, name in
      ["  " + name + (survivors.contains(index) ? "   leaked" : "")]
        + references(among: edges.filter { $0.from == index }, names)
    }
  }

  private static func references(among edges: [Edge], _ names: [String]) -> [String] {
    edges.enumerated().map { place, edge in
      let branch = place == edges.count - 1 ? "└─ " : "├─ "
      let label = edge.label.isEmpty ? "" : edge.label + " → "
      return "  " + branch + label + names[edge.to]
    }
  }
}
