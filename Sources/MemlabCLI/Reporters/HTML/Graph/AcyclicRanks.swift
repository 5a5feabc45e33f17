/// Puts every box on a rank: its distance from a root, going by the longest way, so that every arrow
/// leads down. Arrows that would close a cycle are turned around for this.
struct AcyclicRanks {
  /// The rank of each box, from 0 at the top.
  private(set) var ranks: [Int]
  /// The arrows that lead up, by index.
  private(set) var reversed: Set<Int> = []

  private let arrows: [GraphSketch.Arrow]
  private enum Visit { case not, open, done }
  private var visits: [Visit]
  private var finished: [Int] = []

  init(_ sketch: GraphSketch) {
    arrows = sketch.arrows
    ranks = Array(repeating: 0, count: sketch.boxes.count)
    visits = Array(repeating: .not, count: sketch.boxes.count)
    for box in sketch.boxes.indices where visits[box] == .not { visit(box) }
    for box in finished.reversed() { pushDown(from: box) }
  }

  private mutating func visit(_ box: Int) {
    visits[box] = .open
    for (index, arrow) in arrows.enumerated() where arrow.from == box && arrow.to != box {
      switch visits[arrow.to] {
      case .not: visit(arrow.to)
      case .open: reversed.insert(index)
      case .done: break
      }
    }
    visits[box] = .done
    finished.append(box)
  }

  // Boxes come in an order in which whoever holds comes before what is held. A reversed arrow needs
  // nothing done: it closes a cycle, so there is a way down from where it leads to where it begins.
  private mutating func pushDown(from box: Int) {
    for (index, arrow) in arrows.enumerated()
    where arrow.from == box && arrow.to != box && !reversed.contains(index) {
      ranks[arrow.to] = max(ranks[arrow.to], ranks[box] + 1)
    }
  }
}
