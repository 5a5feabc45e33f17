/// A picture's content for those who cannot see it.
enum GraphInWords {
  /// Who holds whom, a sentence each.
  static func text(of sketch: GraphSketch) -> String {
    let boxes = sketch.boxes
    let holding = sketch.arrows.map { arrow in
      let manner = arrow.label.isEmpty ? "" : " by \(arrow.label)"
      let remark = arrow.isCut ? " (the edge to cut)" : ""
      return "\(boxes[arrow.from].name) holds \(boxes[arrow.to].name)\(manner)\(remark)."
    }
    let left = boxes.compactMap { box in box.remark.map { "\(box.name): \($0)." } }
    return (holding + left).joined(separator: " ")
  }
}
