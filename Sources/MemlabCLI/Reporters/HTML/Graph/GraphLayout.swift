/// Where everything of a drawing is, in its units.
package struct GraphLayout: Sendable {
  /// A rectangle.
  package struct Frame: Sendable, Equatable {
    package var x, y, width, height: Double

    /// A rectangle, by its upper left corner and its size.
    package init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// A label and the arrow that it belongs to.
  package struct Label: Sendable {
    package let arrow: Int
    package let frame: Frame
  }

  /// A stretch of an arrow that is straight down; between two of them it bends.
  package struct Stretch: Sendable {
    package let x, top, bottom: Double
  }

  /// The way of an arrow, from the top.
  package struct Wire: Sendable {
    package let arrow: Int
    package let stretches: [Stretch]
    /// Whether it leads up.
    package let isReversed: Bool
  }

  /// An arrow from a box to itself: from this point at its right side and back.
  package struct Loop: Sendable {
    package let arrow: Int
    package let x, y: Double
  }

  /// The frames of the boxes, in their order.
  package private(set) var boxes: [Frame] = []
  /// The frames of the labels.
  package private(set) var labels: [Label] = []
  /// The ways of the arrows.
  package private(set) var wires: [Wire] = []
  /// The arrows from a box to itself.
  package private(set) var loops: [Loop] = []
  /// The width of the whole drawing, margins included.
  package let width: Double
  /// The height of the whole drawing, margins included.
  package let height: Double

  /// Lays out a sketch; the same sketch always gets the same layout.
  package init(_ sketch: GraphSketch) {
    let layering = LayerOrder.ordered(Layering(sketch))
    let x = LayerPositions(layering).x
    let rows = LayerRows(layering, x: x)
    let items = layering.items
    width = (items.indices.map { x[$0] + items[$0].right }.max() ?? 0) + Spacing.margin
    height = (rows.bottoms.last ?? 0) + Spacing.margin
    for (index, box) in sketch.boxes.enumerated() {
      let size = BoxSize(box)
      boxes.append(
        Frame(
          x: x[index] - size.width / 2, y: rows.top(of: index), width: size.width,
          height: size.height))
    }
    placeLabels(sketch, layering, x, rows)
    let ports = Ports(layering, x: x, boxes: boxes)
    for (index, arrow) in sketch.arrows.enumerated() where arrow.from != arrow.to {
      wires.append(wire(index, arrow, layering.routes[index], x, rows, ports))
    }
    addLoops(sketch)
  }

  private mutating func placeLabels(
    _ sketch: GraphSketch, _ layering: Layering, _ x: [Double], _ rows: LayerRows
  ) {
    for (index, item) in layering.items.enumerated() {
      guard case .label(let arrow) = item.content else { continue }
      let lines = sketch.arrows[arrow].lines
      let height = TextMetrics.height(of: lines)
      let middle = (rows.top(of: index) + rows.bottom(of: index)) / 2
      labels.append(
        Label(
          arrow: arrow,
          frame: Frame(
            x: x[index] + Spacing.beforeLabel, y: middle - height / 2,
            width: TextMetrics.width(of: lines), height: height)))
    }
  }

  private func wire(
    _ index: Int, _ arrow: GraphSketch.Arrow, _ route: [Int], _ x: [Double], _ rows: LayerRows,
    _ ports: Ports
  ) -> Wire {
    let (top, bottom) = (route[0], route[route.count - 1])
    let first = Stretch(
      x: ports.below(top, to: index), top: boxes[top].y + boxes[top].height,
      bottom: rows.bottom(of: top))
    let passed = route.dropFirst().dropLast().map { item in
      Stretch(x: x[item], top: rows.top(of: item), bottom: rows.bottom(of: item))
    }
    let last = Stretch(
      x: ports.above(bottom, to: index), top: boxes[bottom].y, bottom: boxes[bottom].y)
    return Wire(arrow: index, stretches: [first] + passed + [last], isReversed: top != arrow.from)
  }

  private mutating func addLoops(_ sketch: GraphSketch) {
    for (box, frame) in boxes.enumerated() {
      var y = frame.y
      for (index, arrow) in sketch.arrows.enumerated() where arrow.from == box && arrow.to == box {
        let x = frame.x + frame.width
        let height = TextMetrics.height(of: arrow.lines)
        loops.append(Loop(arrow: index, x: x, y: frame.y + frame.height / 2))
        guard !arrow.lines.isEmpty else { continue }
        let text = Frame(
          x: x + Spacing.loop + Spacing.beforeLabel, y: y,
          width: TextMetrics.width(of: arrow.lines), height: height)
        labels.append(Label(arrow: index, frame: text))
        y += height
      }
    }
  }
}
