/// A Mermaid flowchart, as `memlab graph` writes it, in the words of `memlab graph --format text` and
/// without its title: a terminal draws no pictures.
struct FlowchartText {
  /// The lines; nil for a flowchart of another kind.
  let lines: [String]?

  /// Reads a flowchart.
  init(_ flowchart: [String]) {
    var names: [String] = []
    var survivors: Set<Int> = []
    var edges: [TextGraph.Edge] = []
    var isKnown = true
    for line in flowchart {
      if let edge = line.wholeMatch(of: #/  n(\d+) -->(?:\|"(.*)"\|)? n(\d+)/#),
        let from = Int(edge.1), let to = Int(edge.3)
      {
        edges.append((from, to, Self.plain(edge.2 ?? "")))
      } else if let node = line.wholeMatch(of: #/  n\d+(?:\(\[|>|\[)"(.*)"\]\)?/#) {
        names.append(Self.plain(node.1))
      } else if let leaked = line.wholeMatch(of: #/  class (.*) leaked/#) {
        survivors = Set(leaked.1.matches(of: #/\d+/#).compactMap { Int($0.0) })
      } else {
        isKnown = isKnown && ["%% ", "flowchart LR", "  classDef "].contains { line.hasPrefix($0) }
      }
    }
    isKnown = isKnown && edges.allSatisfy { max($0.from, $0.to) < names.count }
    lines =
      isKnown ? TextGraph.lines(names: names, survivors: survivors, edges: edges) : nil
  }

  private static func plain(_ text: Substring) -> String {
    let names = ["#lt;": "<", "#gt;": ">", "#quot;": "\"", "#35;": "#"]
    return names.reduce(into: String(text)) { $0 = $0.replacing($1.key, with: $1.value) }
  }
}
