/// A sketch cut into layers: boxes on the even ones, the labels of arrows on the odd ones, and a
/// bend wherever an arrow passes through a layer.
///
/// What lies in one layer is put side by side, and arrows cross layers only at bends and labels, so
/// nothing can overlap. See Sugiyama, Tagawa and Toda, “Methods for Visual Understanding of
/// Hierarchical System Structures”, 1981.
struct Layering {
  /// What takes up room in a layer.
  enum Content: Equatable {
    case box(Int)
    case label(arrow: Int)
    case bend(arrow: Int)
  }

  /// Something in a layer, measured from where arrows enter it.
  struct Item {
    let content: Content
    /// How far it reaches to the left of its arrow.
    var left: Double
    /// How far it reaches to the right of its arrow.
    var right: Double
    var height: Double
  }

  /// Everything there is.
  private(set) var items: [Item] = []
  /// The indices of the items of each layer, from the left.
  var layers: [[Int]]
  /// For each arrow, the items that it passes, from the top; empty for one from a box to itself.
  private(set) var routes: [[Int]] = []
  /// For each item, those above it that it is joined to.
  private(set) var above: [[Int]]
  /// For each item, those below it that it is joined to.
  private(set) var below: [[Int]]

  init(_ sketch: GraphSketch) {
    let ranks = AcyclicRanks(sketch)
    layers = Array(repeating: [], count: 2 * (ranks.ranks.max() ?? 0) + 1)
    (above, below) = ([], [])
    for (index, box) in sketch.boxes.enumerated() {
      add(Item(box, index, sketch), to: 2 * ranks.ranks[index])
    }
    for (index, arrow) in sketch.arrows.enumerated() {
      guard arrow.from != arrow.to else {
        routes.append([])
        continue
      }
      let isReversed = ranks.reversed.contains(index)
      let (top, bottom) = isReversed ? (arrow.to, arrow.from) : (arrow.from, arrow.to)
      let between = (2 * ranks.ranks[top] + 1)..<(2 * ranks.ranks[bottom])
      let passed = between.map { layer in
        add(Item(arrow, index, isLabelled: layer == between.lowerBound), to: layer)
      }
      join([top] + passed + [bottom])
    }
  }

  @discardableResult
  private mutating func add(_ item: Item, to layer: Int) -> Int {
    items.append(item)
    above.append([])
    below.append([])
    layers[layer].append(items.count - 1)
    return items.count - 1
  }

  private mutating func join(_ route: [Int]) {
    routes.append(route)
    for (upper, lower) in zip(route, route.dropFirst()) {
      below[upper].append(lower)
      above[lower].append(upper)
    }
  }
}

extension Layering.Item {
  /// A box, with room at its right for arrows from the box to itself.
  fileprivate init(_ box: GraphSketch.Box, _ index: Int, _ sketch: GraphSketch) {
    let size = BoxSize(box)
    let loops = sketch.arrows.filter { $0.from == index && $0.to == index }
    let loopLabels = loops.flatMap(\.lines)
    content = .box(index)
    left = size.width / 2
    right = size.width / 2
    height = size.height
    if !loops.isEmpty {
      right += Spacing.loop + Spacing.beforeLabel + TextMetrics.width(of: loopLabels)
      height = max(height, TextMetrics.height(of: loopLabels))
    }
  }

  /// The label of an arrow, or a bend where it is not labelled.
  fileprivate init(_ arrow: GraphSketch.Arrow, _ index: Int, isLabelled: Bool) {
    let hasLabel = isLabelled && !arrow.lines.isEmpty
    content = hasLabel ? .label(arrow: index) : .bend(arrow: index)
    left = Spacing.besideArrow
    right =
      hasLabel
      ? Spacing.beforeLabel + TextMetrics.width(of: arrow.lines) : Spacing.besideArrow
    height = hasLabel ? TextMetrics.height(of: arrow.lines) : 0
  }
}
