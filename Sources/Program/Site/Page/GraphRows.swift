import MemlabKit

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
    return Item(
      left: 6, right: label.isEmpty ? 6 : beforeLabel + size.width, height: size.height)
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
