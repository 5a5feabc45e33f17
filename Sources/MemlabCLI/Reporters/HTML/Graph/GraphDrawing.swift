import MemlabKit

/// A graph as an SVG picture that takes its colours from the page.
struct GraphDrawing {
  private let sketch: GraphSketch
  private let layout: GraphLayout
  private let anchor: String
  private let title: String

  /// A picture.
  ///
  /// - Parameters:
  ///   - graph: who holds whom.
  ///   - anchor: what ids in the page begin with.
  ///   - title: what it is a picture of.
  init(of graph: OwnershipGraph, anchor: String, title: String) {
    sketch = GraphSketch(graph)
    layout = GraphLayout(sketch)
    self.anchor = anchor
    self.title = title
  }

  /// Whether it needs the whole width of a page.
  var isWide: Bool { layout.width > 460 }

  /// The picture, with its content in words for those who cannot see it.
  var markup: Markup {
    Markup(
      "svg",
      [
        "class": "graph", "role": "img", "aria-labelledby": "\(anchor)/title \(anchor)/desc",
        "viewBox": "0 0 \(number(layout.width)) \(number(layout.height))",
        "preserveAspectRatio": "xMinYMin",
        "style": size,
      ]
    ) {
      Markup("title", ["id": "\(anchor)/title"]) { title }
      Markup("desc", ["id": "\(anchor)/desc"]) { GraphInWords.text(of: sketch) }
      for wire in layout.wires { arrow(wire) }
      for loop in layout.loops { arrow(loop) }
      for (box, frame) in zip(sketch.boxes, layout.boxes) { drawn(box, in: frame) }
      for label in layout.labels { drawn(label) }
    }
  }

  // Letters may become a little smaller where that spares the reader from scrolling.
  private var size: String {
    let width = layout.width / 16
    return "width:\(number(width))rem;max-width:max(100%,\(number(width * 0.8))rem)"
  }

  private func drawn(_ box: GraphSketch.Box, in frame: GraphLayout.Frame) -> Markup {
    let radius = box.style == .root ? min(18, frame.height / 2) : 3
    return Markup("g", ["class": "box \(box.style)" + (box.remark == nil ? "" : " left")]) {
      Markup(
        "rect",
        [
          "x": number(frame.x), "y": number(frame.y), "width": number(frame.width),
          "height": number(frame.height), "rx": number(radius),
        ])
      let lines = box.lines.map { ($0, "name") } + (box.remark.map { [($0, "remark")] } ?? [])
      for (place, line) in lines.enumerated() {
        text(line.0, line.1, at: frame.x + frame.width / 2, frame.y + 7, place)
      }
    }
  }

  private func drawn(_ label: GraphLayout.Label) -> Markup {
    let arrow = sketch.arrows[label.arrow]
    return Markup("g", ["class": "label"]) {
      for (place, line) in arrow.lines.enumerated() {
        let isRemark = arrow.isCut && place == arrow.lines.count - 1
        text(line, isRemark ? "remark" : "name", at: label.frame.x, label.frame.y, place)
      }
    }
  }

  private func text(
    _ line: String, _ style: String, at x: Double, _ top: Double, _ place: Int
  ) -> Markup {
    let baseline = top + (Double(place) + 0.75) * TextMetrics.lineHeight
    return Markup("text", ["class": style, "x": number(x), "y": number(baseline)]) { line }
  }
}

extension GraphDrawing {
  private static let headLength = 8.0

  private func arrow(_ wire: GraphLayout.Wire) -> Markup {
    let head = Self.headLength
    let last = wire.stretches.count - 1
    var path = ""
    var before: GraphLayout.Stretch?
    for (place, stretch) in wire.stretches.enumerated() {
      let top = stretch.top + (wire.isReversed && place == 0 ? head : 0)
      let bottom = stretch.bottom - (!wire.isReversed && place == last ? head : 0)
      if let before {
        let end = place == last ? min(stretch.top, bottom) : top
        let middle = number((before.bottom + end) / 2)
        path += "C\(number(before.x)) \(middle) \(number(stretch.x)) \(middle) "
        path += "\(number(stretch.x)) \(number(end))"
      } else {
        path = "M\(number(stretch.x)) \(number(top))"
      }
      if place != last, bottom > top { path += "V\(number(bottom))" }
      before = stretch
    }
    let tip = wire.isReversed ? wire.stretches[0] : wire.stretches[last]
    let back = wire.isReversed ? head : -head
    let triangle =
      "M\(number(tip.x)) \(number(tip.top))l-4.5 \(number(back))h9z"
    return drawn(sketch.arrows[wire.arrow], path, triangle)
  }

  private func arrow(_ loop: GraphLayout.Loop) -> Markup {
    let (x, out) = (loop.x, loop.x + Spacing.loop + 7)
    let path =
      "M\(number(x)) \(number(loop.y - 7))C\(number(out)) \(number(loop.y - 18)) "
      + "\(number(out)) \(number(loop.y + 18)) \(number(x + Self.headLength)) \(number(loop.y + 7))"
    let triangle =
      "M\(number(x)) \(number(loop.y + 7))l\(number(Self.headLength)) -4.5v9z"
    return drawn(sketch.arrows[loop.arrow], path, triangle)
  }

  private func drawn(_ arrow: GraphSketch.Arrow, _ path: String, _ head: String) -> Markup {
    Markup("g", ["class": arrow.isCut ? "arrow cut" : "arrow"]) {
      Markup("path", ["class": "line", "d": path])
      Markup("path", ["class": "head", "d": head])
    }
  }

  /// A number with at most one place behind its point.
  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let rest = abs(tenths) % 10
    return sign + "\(abs(tenths) / 10)" + (rest == 0 ? "" : ".\(rest)")
  }
}
