import MemlabKit

/// A graph as a Mermaid flowchart, see https://mermaid.js.org/syntax/flowchart.html.
enum MermaidGraph {
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    var lines = ["%% \(title)", "flowchart LR"]
    if graph.nodes.isEmpty { lines.append("  n0[\"nothing is left\"]") }
    for (index, node) in graph.nodes.enumerated() {
      lines.append("  n\(index)" + shape(node))
    }
    for edge in graph.edges {
      let label = edge.label.isEmpty ? "" : "|\"\(escaped(edge.label))\"|"
      lines.append("  n\(edge.from) -->\(label) n\(edge.to)")
    }
    if !graph.survivors.isEmpty {
      lines.append("  classDef leaked stroke:#c00,stroke-width:3px")
      lines.append("  class \(graph.survivors.map { "n\($0)" }.joined(separator: ",")) leaked")
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

  // A number sign begins an entity in Mermaid, and angle brackets are taken for HTML.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "#": result += "#35;"
      case "\"": result += "#quot;"
      case "<": result += "#lt;"
      case ">": result += "#gt;"
      default: result.append(character)
      }
    }
  }
}
