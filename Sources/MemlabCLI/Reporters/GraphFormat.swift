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
