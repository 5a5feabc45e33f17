import MemlabHeapModel
import MemlabKit
import MemlabReports

/// Who holds what is left: the picture, and beside it each chain in words.
enum HoldersPart {
  /// The part of a trial.
  ///
  /// - Parameter anchor: the place on the page, from which the picture's is made.
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
    let chains = AlikeChains.all(of: trial)
    guard !chains.isEmpty else {
      return note("A task that has not finished needs nobody to hold it: it is a root.")
    }
    return Markup([Markup("h5") { "Why it is alive" }] + chains.map(markup))
  }

  private static func markup(of alike: AlikeChains) -> Markup {
    let words = alike.words
    return Markup("div", ["class": "chain"]) {
      Markup("p") {
        alike.title.before
        Markup("code") { alike.chain.type }
        alike.title.after + " "
        Markup("small") { "read from the heap; \(alike.found)" }
      }
      Markup("ol") {
        Markup("li", ["class": "start"]) { words.root }
        for (depth, row) in words.rows.enumerated() {
          let isLast = depth == words.rows.count - 1
          item(row, depth: depth + 1, isLast: isLast, isCut: isLast && words.endsInCut)
        }
      }
    }
  }

  private static func item(
    _ row: ChainInWords.Row, depth: Int, isLast: Bool, isCut: Bool
  ) -> Markup {
    // Deeper than this, a telephone has no room left.
    Markup("li", ["style": "--depth:\(min(depth, 6))", "class": isCut ? "cut" : nil]) {
      if !row.reference.isEmpty { Markup("span", ["class": "reference"]) { row.reference + " → " } }
      Markup("code", ["class": isLast ? "survivor" : nil]) { row.name }
      if let location = row.location { Markup("small") { " \(location)" } }
      if isCut { Markup("strong") { "the edge to cut" } }
    }
  }
}
