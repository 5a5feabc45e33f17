/// Where arrows meet the upper and lower sides of boxes: side by side, in the order in which they
/// come, and straight above or below their next bend where the box is wide enough.
struct Ports {
  private struct Side: Hashable {
    let box: Int
    let arrow: Int
  }

  private var upper: [Side: Double] = [:]
  private var lower: [Side: Double] = [:]

  init(_ layering: Layering, x: [Double], boxes: [GraphLayout.Frame]) {
    for (box, frame) in boxes.enumerated() {
      let routes = layering.routes.enumerated().filter { !$0.element.isEmpty }
      let leaving = routes.filter { $0.element[0] == box }
        .map { (arrow: $0.offset, next: x[$0.element[1]]) }
      let arriving = routes.filter { $0.element[$0.element.count - 1] == box }
        .map { (arrow: $0.offset, next: x[$0.element[$0.element.count - 2]]) }
      for (arrow, port) in Self.spread(leaving, over: frame) {
        lower[Side(box: box, arrow: arrow)] = port
      }
      for (arrow, port) in Self.spread(arriving, over: frame) {
        upper[Side(box: box, arrow: arrow)] = port
      }
    }
  }

  /// Where an arrow meets the upper side of a box.
  func above(_ box: Int, to arrow: Int) -> Double { upper[Side(box: box, arrow: arrow)] ?? 0 }

  /// Where an arrow meets the lower side of a box.
  func below(_ box: Int, to arrow: Int) -> Double { lower[Side(box: box, arrow: arrow)] ?? 0 }

  private static func spread(
    _ arrows: [(arrow: Int, next: Double)], over frame: GraphLayout.Frame
  ) -> [(arrow: Int, port: Double)] {
    let inset = 14.0
    let (first, last) = (frame.x + inset, frame.x + frame.width - inset)
    let sorted = arrows.sorted { ($0.next, $0.arrow) < ($1.next, $1.arrow) }
    let step = min(Spacing.betweenArrows, (last - first) / Double(max(1, sorted.count - 1)))
    return sorted.enumerated().map { place, arrow in
      let before = Double(place) * step
      let after = Double(sorted.count - 1 - place) * step
      return (arrow.arrow, min(max(arrow.next, first + before), last - after))
    }
  }
}
