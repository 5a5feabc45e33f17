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
        x: items[box].x - size.width / 2, y: spans[box].top, width: size.width, height: size.height)
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
    let position =
      route.isEmpty
      ? (
        x: boxes[box].x + boxes[box].width + GraphRows.loop,
        y: boxes[box].y + earlier.reduce(0) { $0 + $1.value.height }
      )
      : (x: items[route[1]].x, y: (spans[route[1]].top + spans[route[1]].bottom - size.height) / 2)
    let x = position.x + GraphRows.beforeLabel
    labels[arrow] = Frame(x: x, y: position.y, width: size.width, height: size.height)
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

/// The boxes of a graph in rows, with the places that arrows and labels take up in rows between
/// them.
///
/// See Sugiyama, Tagawa and Toda, “Methods for Visual Understanding of Hierarchical System
/// Structures”, 1981.
struct GraphRows {
  /// A box, or a place at which an arrow passes a row.
  struct Item {
    /// Where arrows enter it, from the left.
    var x = 0.0
    /// How far it reaches to the left and to the right from there, and its height.
    var left, right, height: Double
    /// The items that it is joined to in the row above, and in the row below.
    var above: [Int] = [], below: [Int] = []
  }

  /// From a box to the outermost point of an arrow that leads back to it.
  static let loop = 26.0
  /// From an arrow to its label.
  static let beforeLabel = 10.0

  /// The boxes, in the order of the graph's nodes, then the places of arrows.
  private(set) var items: [Item] = []
  /// The items of each row, from the left; boxes are in rows 0, 2, 4 and so on.
  private(set) var rows: [[Int]]
  /// The items that each arrow passes from the top, its boxes included; none where a box holds
  /// itself.
  private(set) var routes: [[Int]] = []
  /// The arrows that lead up, by the index of the edge.
  private(set) var reversed: Set<Int> = []

  /// The rows of a graph.
  init(_ graph: OwnershipGraph) {
    rows = []
    let ranks = ranks(of: graph)
    rows = Array(repeating: [], count: 2 * (ranks.max() ?? 0) + 1)
    for (box, rank) in ranks.enumerated() { add(Self.box(box, of: graph), to: 2 * rank) }
    for (arrow, edge) in graph.edges.enumerated() {
      let ends = reversed.contains(arrow) ? (edge.to, edge.from) : (edge.from, edge.to)
      guard edge.from != edge.to else {
        routes.append([])
        continue
      }
      let passed = (2 * ranks[ends.0] + 1)..<(2 * ranks[ends.1])
      let places = passed.map { row in
        add(Self.place(row == passed.lowerBound ? graph.lines(ofEdge: arrow) : []), to: row)
      }
      join([ends.0] + places + [ends.1])
    }
    straighten()
  }

  /// The arrows whose route is like this, by the index of the edge.
  func arrows(_ isWanted: ([Int]) -> Bool) -> [Int] {
    routes.indices.filter { isWanted(routes[$0]) }
  }

  // Labels of arrows from a box to itself stand at its right side.
  private static func box(_ box: Int, of graph: OwnershipGraph) -> Item {
    let size = GraphText.boxSize(graph.lines(ofNode: box))
    var item = Item(left: size.width / 2, right: size.width / 2, height: size.height)
    let loops = graph.edges.indices.filter {
      graph.edges[$0].from == box && graph.edges[$0].to == box
    }
    if !loops.isEmpty {
      let label = GraphText.size(loops.flatMap { graph.lines(ofEdge: $0) })
      item.right += loop + beforeLabel + label.width
      item.height = max(item.height, label.height)
    }
    return item
  }

  private static func place(_ label: [String]) -> Item {
    let size = GraphText.size(label)
    return Item(left: 6, right: label.isEmpty ? 6 : beforeLabel + size.width, height: size.height)
  }

  @discardableResult
  private mutating func add(_ item: Item, to row: Int) -> Int {
    items.append(item)
    rows[row].append(items.count - 1)
    return items.count - 1
  }

  private mutating func join(_ route: [Int]) {
    routes.append(route)
    for (upper, lower) in zip(route, route.dropFirst()) {
      items[upper].below.append(lower)
      items[lower].above.append(upper)
    }
  }

  /// The distance of each box from the top, by the longest way; finds the arrows that lead up.
  private mutating func ranks(of graph: OwnershipGraph) -> [Int] {
    var ranks = graph.nodes.map { _ in 0 }
    var (open, finished): (Set<Int>, [Int]) = ([], [])
    var reversed: Set<Int> = []
    func visit(_ box: Int) {
      open.insert(box)
      for (arrow, edge) in graph.edges.enumerated() where edge.from == box && edge.to != box {
        if open.contains(edge.to) {
          reversed.insert(arrow)
        } else if !finished.contains(edge.to) {
          visit(edge.to)
        }
      }
      open.remove(box)
      finished.append(box)
    }
    for box in graph.nodes.indices where !finished.contains(box) { visit(box) }
    for box in finished.reversed() {
      for (arrow, edge) in graph.edges.enumerated()
      where edge.from == box && edge.to != box && !reversed.contains(arrow) {
        ranks[edge.to] = max(ranks[edge.to], ranks[box] + 1)
      }
    }
    self.reversed = reversed
    return ranks
  }
}

extension GraphRows {
  /// Moves each item towards those that it is joined to, downwards and upwards in turn: first past
  /// other items of its row, so that few arrows cross, then between its neighbours.
  private mutating func straighten() {
    let sweeps = 16
    for row in rows.indices { spread(row, near: rows[row].map { _ in 0 }) }
    for sweep in 0..<sweeps {
      let isDown = sweep.isMultiple(of: 2)
      for row in isDown ? Array(rows.indices) : rows.indices.reversed() {
        let wanted = rows[row].map { item in
          let joined = (isDown ? items[item].above : items[item].below).map { items[$0].x }
          return joined.isEmpty ? items[item].x : joined.reduce(0, +) / Double(joined.count)
        }
        var order = Array(wanted.indices)
        if sweep < sweeps / 2 { order.sort { (wanted[$0], $0) < (wanted[$1], $1) } }
        rows[row] = order.map { [before = rows[row]] in before[$0] }
        spread(row, near: order.map { wanted[$0] })
      }
    }
    let leftmost = items.map { $0.x - $0.left }.min() ?? 0
    for item in items.indices { items[item].x += GraphLayout.margin - leftmost }
  }

  // Where items overlap, pushing them only to the right separates them, and so does pushing them
  // only to the left. The middle between the two separates them as well.
  private mutating func spread(_ row: Int, near wanted: [Double]) {
    let row = rows[row]
    let gaps = zip(row, row.dropFirst()).map { items[$0].right + 18 + items[$1].left }
    var (rightmost, leftmost) = (wanted, wanted)
    for place in gaps.indices {
      rightmost[place + 1] = max(wanted[place + 1], rightmost[place] + gaps[place])
    }
    for place in gaps.indices.reversed() {
      leftmost[place] = min(wanted[place], leftmost[place + 1] - gaps[place])
    }
    for (place, item) in row.enumerated() {
      items[item].x = (leftmost[place] + rightmost[place]) / 2
    }
  }
}
