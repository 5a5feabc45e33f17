/// Orders each layer so that arrows cross little: every item goes to the mean place of those that
/// it is joined to, downwards and upwards in turn, and the best order that came up is kept.
struct LayerOrder {
  private var layering: Layering

  /// The layers in a good order; the same layers always get the same.
  static func ordered(_ layering: Layering) -> Layering {
    var order = LayerOrder(layering: layering)
    order.improve()
    return order.layering
  }

  private mutating func improve() {
    var best = layering
    var fewest = crossings
    for sweep in 0..<8 where fewest > 0 {
      let goesDown = sweep.isMultiple(of: 2)
      let layers = Array(layering.layers.indices)
      for layer in goesDown ? layers : layers.reversed() {
        sort(layer, by: goesDown ? layering.above : layering.below)
      }
      let count = crossings
      if count < fewest { (best, fewest) = (layering, count) }
    }
    layering = best
  }

  private mutating func sort(_ layer: Int, by neighbours: [[Int]]) {
    let places = places
    let items = layering.layers[layer]
    let wanted = items.map { item in
      let around = neighbours[item].map { Double(places[$0]) }
      return around.isEmpty
        ? Double(places[item]) : around.reduce(0, +) / Double(around.count)
    }
    let sorted = items.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    layering.layers[layer] = sorted.map { items[$0] }
  }

  /// The place of each item in its layer.
  private var places: [Int] {
    var places = Array(repeating: 0, count: layering.items.count)
    for layer in layering.layers {
      for (place, item) in layer.enumerated() { places[item] = place }
    }
    return places
  }

  /// How many pairs of arrows cross.
  private var crossings: Int {
    let places = places
    return layering.layers.reduce(0) { count, layer in
      let lines = layer.flatMap { item in
        layering.below[item].map { (places[item], places[$0]) }
      }
      return count
        + lines.indices.reduce(0) { count, first in
          count
            + lines[(first + 1)...].count { second in
              (lines[first].0 - second.0) * (lines[first].1 - second.1) < 0
            }
        }
    }
  }
}
