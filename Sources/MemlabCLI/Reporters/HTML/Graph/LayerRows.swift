/// Where each layer begins and ends, from the top.
struct LayerRows {
  /// The upper end of each layer.
  private(set) var tops: [Double] = []
  /// The lower end of each layer.
  private(set) var bottoms: [Double] = []

  private var rows: [Int]

  init(_ layering: Layering, x: [Double]) {
    rows = Array(repeating: 0, count: layering.items.count)
    var y = Spacing.margin
    for (row, layer) in layering.layers.enumerated() {
      for item in layer { rows[item] = row }
      let height = layer.map { layering.items[$0].height }.max() ?? 0
      tops.append(y)
      bottoms.append(y + height)
      // An arrow that goes far to the side needs more height, or it looks like a line between rows.
      let shifts = layer.flatMap { item in layering.below[item].map { abs(x[$0] - x[item]) } }
      y += height + Spacing.betweenLayers + min(24, (shifts.max() ?? 0) / 12)
    }
  }

  /// The upper end of the layer that an item is in.
  func top(of item: Int) -> Double { tops[rows[item]] }

  /// The lower end of the layer that an item is in.
  func bottom(of item: Int) -> Double { bottoms[rows[item]] }
}
