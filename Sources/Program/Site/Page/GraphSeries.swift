package import MemlabKit

/// How a box or an arrow is drawn in one picture of a series.
enum GraphPart: String {
  /// As it was in the picture before, or where there is only one picture.
  case same
  /// For the first time.
  case new
  /// No more, with a trace of where it was.
  case gone
  /// Not at all: its place is free.
  case absent
}

/// Pictures of parts of one graph: what stays is at the same place in all of them, and each shape
/// stands in the page once.
struct GraphSeries {
  /// How the boxes and the arrows of one picture are drawn, in the graph's order.
  struct Picture {
    /// The boxes.
    var boxes: [GraphPart]
    /// The arrows.
    var arrows: [GraphPart]
    /// The arrows that are lit, by their places: those that another picture does not have.
    var lit: Set<Int> = []
  }

  private let drawing: GraphDrawing
  private let anchor: String
  private var graph: OwnershipGraph { drawing.graph }

  /// The pictures of a graph.
  ///
  /// - Parameters:
  ///   - graph: everything that any of them shows.
  ///   - anchor: what ids in the page begin with.
  ///   - title: what they are pictures of.
  init(of graph: OwnershipGraph, anchor: String, title: String) {
    drawing = GraphDrawing(of: graph, anchor: anchor, title: title)
    self.anchor = anchor
  }

  /// Whether they need the whole width of a page.
  var isWide: Bool { drawing.isWide }

  /// The shapes that the pictures use; it takes no room.
  var definitions: Markup {
    Markup("svg", ["class": "defs", "aria-hidden": "true", "width": "0", "height": "0"]) {
      Markup("defs") {
        for arrow in graph.edges.indices {
          drawing.drawn(arrow: arrow, definition: "\(anchor)a\(arrow)")
        }
        for box in graph.nodes.indices {
          drawing.drawn(box: box, definition: "\(anchor)b\(box)")
        }
      }
    }
  }

  /// One picture.
  func markup(of picture: Picture) -> Markup {
    drawing.frame {
      for arrow in graph.edges.indices where picture.arrows[arrow] != .absent {
        use("a\(arrow)", picture.arrows[arrow], isLit: picture.lit.contains(arrow))
      }
      for box in graph.nodes.indices where picture.boxes[box] != .absent {
        use("b\(box)", picture.boxes[box], isLit: false)
      }
    }
  }

  /// The script gives it a name; without one, the step says in words what the picture shows.
  private func use(_ shape: String, _ part: GraphPart, isLit: Bool) -> Markup {
    let styles = (part == .same ? [] : [part.rawValue]) + (isLit ? ["lit"] : [])
    return Markup(
      "use",
      [
        "href": "#\(anchor)\(shape)",
        "class": styles.isEmpty ? nil : styles.joined(separator: " "),
      ])
  }
}

extension OwnershipGraph {
  /// An arrow in words: "Planet holds Moon by moon".
  package func name(ofArrow arrow: Int) -> String {
    let edge = edges[arrow]
    return "\(nodes[edge.from].name) holds \(nodes[edge.to].name)"
      + (edge.label.isEmpty ? "" : " by \(edge.label)")
      + (cuts.contains(arrow) ? " (the edge to cut)" : "")
  }

  /// A box in words: its name, and what has become of it.
  package func name(ofBox box: Int) -> String {
    nodes[box].name + (remark(ofNode: box).map { ", \($0)" } ?? "")
  }
}
