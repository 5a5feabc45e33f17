import MemlabKit

/// Who holds what is left: the picture, and beside it each chain in words.
enum HoldersPart {
  static func markup(for trial: TrialReport, anchor: String) -> Markup {
    guard let heap = trial.heap else {
      return note("The heap was not read, so nobody knows who holds what is left.")
    }
    let unfinished = trial.tasks.filter { $0.live > 0 }.map(\.name)
    let graph = OwnershipGraph(heap.paths, unfinished: unfinished)
    guard !graph.nodes.isEmpty else { return note("Nothing is left on the heap.") }
    let drawing = GraphDrawing(
      of: graph, anchor: "\(anchor)/graph", title: "Who holds what is left")
    return Markup("div", ["class": drawing.isWide ? "columns wide" : "columns"]) {
      Markup("figure", ["class": "graph"]) {
        Markup("figcaption") { Markup("h5") { "Who holds what is left" } }
        Markup.scrolling("Picture: who holds what is left") { drawing.markup }
      }
      Markup("div", ["class": "chains"]) { chains(of: trial) }
    }
  }

  private static func note(_ sentence: String) -> Markup {
    Markup("p", ["class": "missing"]) { sentence }
  }

  private static func chains(of trial: TrialReport) -> Markup {
    let chains = ReferenceChain.all(of: trial)
    guard !chains.isEmpty else {
      return note("A task that has not finished needs nobody to hold it: it is a root.")
    }
    return Markup([Markup("h5") { "Why it is alive" }] + alike(chains).map(markup))
  }

  /// Chains that say the same of several objects, together.
  private static func alike(_ chains: [ReferenceChain]) -> [[ReferenceChain]] {
    chains.reduce(into: []) { groups, chain in
      let place = groups.firstIndex {
        ($0[0].type, $0[0].root) == (chain.type, chain.root) && $0[0].rows == chain.rows
      }
      if let place { groups[place].append(chain) } else { groups.append([chain]) }
    }
  }

  private static func source(of chains: [ReferenceChain]) -> String {
    let counts = chains.map { "\($0.references)" }.joined(separator: ", ")
    return chains.count == 1
      ? "read from the heap; \(counted(chains[0].references, "strong reference"))"
      : "read from the heap; \(chains.count) alike, with \(counts) strong references"
  }

  private static func markup(of chains: [ReferenceChain]) -> Markup {
    let chain = chains[0]
    return Markup("div", ["class": "chain"]) {
      Markup("p") {
        "why "
        Markup("code") { chain.type }
        " is alive "
        Markup("small") { source(of: chains) }
      }
      Markup("ol") {
        Markup("li", ["class": "start"]) { chain.root }
        for (depth, row) in chain.rows.enumerated() {
          let isLast = depth == chain.rows.count - 1
          item(row, depth: depth + 1, isLast: isLast, isCut: isLast && chain.endsInCut)
        }
      }
    }
  }

  private static func item(
    _ row: ReferenceChain.Row, depth: Int, isLast: Bool, isCut: Bool
  ) -> Markup {
    // Deeper than this, a telephone has no room left.
    Markup("li", ["style": "--depth:\(min(depth, 6))", "class": isCut ? "cut" : nil]) {
      if !row.reference.isEmpty { Markup("span", ["class": "reference"]) { row.reference + " → " } }
      Markup("code", ["class": isLast ? "survivor" : nil]) { row.name }
      if !row.place.isEmpty { Markup("small") { " " + row.place } }
      if isCut { Markup("strong") { "the edge to cut" } }
    }
  }
}
