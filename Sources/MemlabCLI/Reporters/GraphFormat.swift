import MemlabKit

/// The forms in which `memlab graph` can draw.
enum GraphFormat: String, CaseIterable {
  /// Mermaid, which forges draw in Markdown.
  case mermaid
  /// Graphviz.
  case dot
  /// An indented list.
  case text

  /// A graph in this form, ending in a line break.
  ///
  /// - Parameter title: what the graph is of; a comment in the forms that have comments.
  func drawing(of graph: OwnershipGraph, title: String) -> String {
    switch self {
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

  // A number sign begins an entity in Mermaid, and angle brackets begin HTML.
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

/// A graph for Graphviz, see https://graphviz.org/doc/info/lang.html.
private enum DotGraph {
  /// A graph below its title, a comment.
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

/// A graph as a list of who holds whom.
enum TextGraph {
  /// Who holds, who is held, by their places in a list, and how.
  typealias Edge = (from: Int, to: Int, label: String)

  /// A graph below its title.
  static func drawing(of graph: OwnershipGraph, title: String) -> String {
    let lines = lines(
      names: graph.nodes.map(\.name), survivors: Set(graph.survivors),
      edges: graph.edges.map { ($0.from, $0.to, $0.label) })
    return ([title] + lines).joined(separator: "\n") + "\n"
  }

  /// A line for each name, and below it one for each that it holds.
  ///
  /// - Parameter survivors: the places of those that are marked as leaked.
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
