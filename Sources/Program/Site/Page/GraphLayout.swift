package import MemlabKit
import MemlabTerminalText

/// Where the boxes, arrows and labels of a small graph are, in the units of a drawing.
///
/// Boxes stand in rows, each below those that hold it. Between two rows of boxes is a row of
/// labels. An arrow has a place of its own in every row that it passes, so it crosses no box and no
/// label.
package struct GraphLayout: Sendable {
  /// A rectangle, by its upper left corner and its size.
  package struct Frame: Sendable, Equatable {
    /// A side or a size, in units of the drawing.
    package var x, y, width, height: Double

    /// A rectangle.
    package init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// A part of an arrow that goes straight down; between two parts the arrow bends.
  package struct Stretch: Sendable {
    /// Where the part is, and from where to where it goes.
    package let x, top, bottom: Double
  }

  /// The frames of the boxes, in the order of the graph's nodes.
  package private(set) var boxes: [Frame] = []
  /// The frames of the labels, by the index of the edge.
  package private(set) var labels: [Int: Frame] = [:]
  /// The way of each arrow from the top, in the order of the edges; empty where a box holds itself.
  package private(set) var wires: [[Stretch]] = []
  /// The arrows that lead up, by the index of the edge: each closes a cycle.
  package let reversed: Set<Int>
  /// The size of the drawing, with its margins.
  package let width, height: Double

  /// The space around the drawing.
  package static let margin = 10.0

  /// Lays out a graph; equal graphs get equal layouts.
  package init(_ graph: OwnershipGraph) {
    let rows = GraphRows(graph)
    let items = rows.items
    var spans: [(top: Double, bottom: Double)] = items.map { _ in (0, 0) }
    var y = Self.margin
    for row in rows.rows {
      let height = row.map { items[$0].height }.max() ?? 0
      for item in row { spans[item] = (y, y + height) }
      // An arrow that goes far to the side needs more height, or it looks like a line between rows.
      let shifts = row.flatMap { item in items[item].below.map { abs(items[$0].x - items[item].x) }
      }
      y += height + 20 + min(24, (shifts.max() ?? 0) / 12)
    }
    reversed = rows.reversed
    width = (items.map { $0.x + $0.right }.max() ?? 0) + Self.margin
    height = (spans.map(\.bottom).max() ?? 0) + Self.margin
    boxes = graph.nodes.indices.map { box in
      let size = GraphText.boxSize(graph.lines(ofNode: box))
      return Frame(
        x: items[box].x - size.width / 2, y: spans[box].top, width: size.width,
        height: size.height)
    }
    for (arrow, route) in rows.routes.enumerated() {
      wires.append(wire(arrow, route, rows, spans))
      label(arrow, route, graph, items, spans)
    }
  }

  private mutating func label(
    _ arrow: Int, _ route: [Int], _ graph: OwnershipGraph, _ items: [GraphRows.Item],
    _ spans: [(top: Double, bottom: Double)]
  ) {
    let size = GraphText.size(graph.lines(ofEdge: arrow))
    guard size.height > 0 else { return }
    let box = graph.edges[arrow].from
    // Labels of arrows from a box to itself stand one below the other at its right side.
    let earlier = labels.filter { graph.edges[$0.key].to == box && graph.edges[$0.key].from == box }
    let (x, y) =
      route.isEmpty
      ? (
        boxes[box].x + boxes[box].width + GraphRows.loop,
        boxes[box].y + earlier.reduce(0) { $0 + $1.value.height }
      )
      : (
        items[route[1]].x, (spans[route[1]].top + spans[route[1]].bottom - size.height) / 2
      )
    labels[arrow] = Frame(
      x: x + GraphRows.beforeLabel, y: y, width: size.width, height: size.height)
  }

  private func wire(
    _ arrow: Int, _ route: [Int], _ rows: GraphRows, _ spans: [(top: Double, bottom: Double)]
  ) -> [Stretch] {
    guard let top = route.first, let bottom = route.last else { return [] }
    let passed = route.dropFirst().dropLast().map {
      Stretch(x: rows.items[$0].x, top: spans[$0].top, bottom: spans[$0].bottom)
    }
    let start = port(of: arrow, at: boxes[top], among: rows.arrows { $0.first == top }, rows)
    let end = port(
      of: arrow, at: boxes[bottom], among: rows.arrows { $0.last == bottom }, rows, isEnd: true)
    return [Stretch(x: start, top: boxes[top].y + boxes[top].height, bottom: spans[top].bottom)]
      + passed + [Stretch(x: end, top: boxes[bottom].y, bottom: boxes[bottom].y)]
  }

  /// Where an arrow meets a side of a box: at its next place if the box is wide enough, and beside
  /// the other arrows that meet this side.
  private func port(
    of arrow: Int, at box: Frame, among arrows: [Int], _ rows: GraphRows, isEnd: Bool = false
  ) -> Double {
    let inset = 14.0
    let wanted = { (arrow: Int) in
      let route = rows.routes[arrow]
      return rows.items[isEnd ? route[route.count - 2] : route[1]].x
    }
    let sorted = arrows.sorted { (wanted($0), $0) < (wanted($1), $1) }
    let step = min(22, (box.width - 2 * inset) / Double(max(1, sorted.count - 1)))
    let place = Double(sorted.firstIndex(of: arrow) ?? 0)
    let first = box.x + inset + place * step
    let last = box.x + box.width - inset - (Double(sorted.count - 1) - place) * step
    return min(max(wanted(arrow), first), last)
  }
}

/// The texts of a graph in lines, and how much room they take in letters of a fixed width.
enum GraphText {
  /// The size of the letters, in units of the drawing.
  static let letters = 13.0
  /// From one line to the next.
  static let lineHeight = 17.0

  /// The size of some lines. The widest common fixed-width fonts take 0.62 of their size a letter.
  static func size(_ lines: [String]) -> (width: Double, height: Double) {
    let columns = lines.map(\.displayWidth).max() ?? 0
    return (Double(columns) * 0.64 * letters, Double(lines.count) * lineHeight)
  }

  /// The size of a box around some lines.
  static func boxSize(_ lines: [String]) -> (width: Double, height: Double) {
    let size = size(lines)
    return (max(48, size.width + 24), size.height + 14)
  }
}

extension OwnershipGraph {
  /// What stands in a box: the name, in lines narrow enough for a telephone, and the remark.
  package func lines(ofNode node: Int) -> [String] {
    nodes[node].name.folded(to: 30) + (remark(ofNode: node).map { [$0] } ?? [])
  }

  /// What stands beside an arrow: how the object is held, and whether this is the edge to cut.
  package func lines(ofEdge edge: Int) -> [String] {
    let label = edges[edge].label
    return (label.isEmpty ? [] : label.folded(to: 30))
      + (cuts.contains(edge) ? ["the edge to cut"] : [])
  }
}
