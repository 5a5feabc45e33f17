/// The distances of a drawing, in its units.
enum Spacing {
  static let margin = 10.0
  /// Between two things of one layer.
  static let betweenItems = 18.0
  /// Between two layers, where arrows change their direction.
  static let betweenLayers = 20.0
  /// At both sides of an arrow that passes.
  static let besideArrow = 6.0
  /// From an arrow to its label.
  static let beforeLabel = 10.0
  /// From a box to the outermost point of an arrow that leads back to it.
  static let loop = 26.0
  /// Between arrows that meet the same side of a box.
  static let betweenArrows = 22.0
}

/// How large a box has to be for its texts.
struct BoxSize {
  let width: Double
  let height: Double

  init(_ box: GraphSketch.Box) {
    let texts = box.lines + (box.remark.map { [$0] } ?? [])
    width = max(48, TextMetrics.width(of: texts) + 24)
    height = TextMetrics.height(of: texts) + 14
  }
}
