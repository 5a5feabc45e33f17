/// Finds a horizontal place for each item: as near as can be to those that it is joined to, in the
/// order of its layer, and never nearer to its neighbours than they are wide.
struct LayerPositions {
  private let layering: Layering
  /// Where arrows enter each item.
  private(set) var x: [Double]

  init(_ layering: Layering) {
    self.layering = layering
    x = Array(repeating: 0, count: layering.items.count)
    for layer in layering.layers { place(layer, near: layer.map { _ in 0 }) }
    for round in 0..<12 {
      let goesDown = round.isMultiple(of: 2)
      let neighbours = goesDown ? layering.above : layering.below
      for layer in goesDown ? layering.layers : layering.layers.reversed() {
        place(layer, near: layer.map { wanted(for: $0, among: neighbours[$0]) })
      }
    }
    let leftmost = layering.items.indices.map { x[$0] - layering.items[$0].left }.min() ?? 0
    x = x.map { $0 - leftmost + Spacing.margin }
  }

  private func wanted(for item: Int, among neighbours: [Int]) -> Double {
    guard !neighbours.isEmpty else { return x[item] }
    return neighbours.reduce(0) { $0 + x[$1] } / Double(neighbours.count)
  }

  // The places with the least squares of distances from those wanted: neighbours that would overlap
  // are moved as one block, to the mean of what its members want ("pool adjacent violators").
  private mutating func place(_ layer: [Int], near wanted: [Double]) {
    var offset = 0.0
    var offsets: [Double] = []
    var blocks: [(sum: Double, count: Int)] = []
    for (place, item) in layer.enumerated() {
      if place > 0 {
        offset += layering.items[layer[place - 1]].right + Spacing.betweenItems
        offset += layering.items[item].left
      }
      offsets.append(offset)
      blocks.append((wanted[place] - offset, 1))
      while let last = blocks.last, let before = blocks.dropLast().last,
        before.sum / Double(before.count) >= last.sum / Double(last.count)
      {
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let means = blocks.flatMap { Array(repeating: $0.sum / Double($0.count), count: $0.count) }
    for (place, item) in layer.enumerated() { x[item] = means[place] + offsets[place] }
  }
}
