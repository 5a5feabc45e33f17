import MemlabKit
import MemlabTerminalText

/// A graph as an SVG picture that takes its colours from the page.
struct GraphDrawing {
  /// Who holds whom.
  let graph: OwnershipGraph
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
    self.graph = graph
    layout = GraphLayout(graph)
    self.anchor = anchor
    self.title = title
  }

  /// Whether it needs the whole width of a page.
  var isWide: Bool { layout.width > 460 }

  /// The picture, with its content in words for those who cannot see it.
  var markup: Markup {
    frame(anchor: anchor) {
      Markup("desc", ["id": "\(anchor)/desc"]) { words }
      for arrow in graph.edges.indices { drawn(arrow: arrow) }
      for box in graph.nodes.indices { drawn(box: box) }
      for arrow in graph.edges.indices { drawnLabel(of: arrow) }
    }
  }

  /// A picture of the graph's size, with its title.
  ///
  /// - Parameter anchor: what the ids of its title and its description begin with; nil for a picture
  ///   that has neither, and has its title as a name only.
  func frame(anchor: String? = nil, @MarkupBuilder content: () -> Markup) -> Markup {
    // Letters may become a little smaller where that spares the reader from scrolling.
    let width = rems(layout.width)
    let room = "0 0 \(number(layout.width)) \(number(layout.height))"
    guard let anchor else {
      let style = "--width:\(width)"
      return Markup(
        "svg",
        ["class": "graph", "role": "img", "aria-label": title, "viewBox": room, "style": style],
        content: content)
    }
    return Markup(
      "svg",
      [
        "class": "graph", "role": "group", "aria-labelledby": "\(anchor)/title",
        "aria-describedby": "\(anchor)/desc", "viewBox": room, "preserveAspectRatio": "xMinYMin",
        "style": "width:\(width);max-width:max(100%,\(rems(layout.width * 0.8)))",
      ]
    ) {
      Markup("title", ["id": "\(anchor)/title"]) { title }
      content()
    }
  }

  /// Who holds whom, a sentence each, and what is left.
  private var words: String {
    let left = graph.nodes.indices.compactMap { node in
      graph.remark(ofNode: node).map { "\(graph.nodes[node].name): \($0)" }
    }
    return (graph.edges.indices.map { graph.name(ofArrow: $0) } + left).map { $0 + "." }
      .joined(separator: " ")
  }

  /// A box, which has a name unless it is only a definition.
  func drawn(box: Int, definition: String? = nil) -> Markup {
    let frame = layout.boxes[box]
    let (style, radius): (String, Double) =
      switch graph.nodes[box].kind {
      case .root: ("root", min(18, frame.height / 2))
      case .passage: ("passage", 3)
      case .object: ("object", 3)
      }
    let remark = graph.remark(ofNode: box)
    return Markup(
      "g",
      [
        "id": definition, "class": "box \(style)" + (remark == nil ? "" : " left"),
        "role": definition == nil ? "img" : nil,
        "aria-label": definition == nil ? graph.name(ofBox: box) : nil,
      ]
    ) {
      Markup(
        "rect",
        [
          "x": number(frame.x), "y": number(frame.y), "width": number(frame.width),
          "height": number(frame.height), "rx": number(radius),
        ])
      let lines = graph.lines(ofNode: box)
      text(
        lines, isRemarked: remark != nil, at: frame.x + frame.width / 2, frame.y + 7)
    }
  }

  private func drawnLabel(of arrow: Int) -> Markup? {
    layout.labels[arrow].map { frame in
      Markup("g", ["class": "label", "aria-hidden": "true"]) {
        text(
          graph.lines(ofEdge: arrow), isRemarked: graph.cuts.contains(arrow), at: frame.x, frame.y)
      }
    }
  }

  /// Lines of text, the last of them a remark or not.
  private func text(
    _ lines: [String], isRemarked: Bool, at x: Double, _ top: Double
  ) -> Markup {
    Markup(
      lines.enumerated().map { place, line in
        let isRemark = isRemarked && place == lines.count - 1
        let baseline = top + (Double(place) + 0.75) * GraphText.lineHeight
        return Markup(
          "text",
          ["class": isRemark ? "remark" : nil, "x": number(x), "y": number(baseline)]
        ) { line }
      })
  }

  /// An arrow, which has a name; as a definition it has none, and has its label with it.
  func drawn(arrow: Int, definition: String? = nil) -> Markup {
    let wire = layout.wires[arrow]
    let (line, head) =
      wire.isEmpty
      ? loop(at: layout.boxes[graph.edges[arrow].from])
      : path(wire, isReversed: layout.reversed.contains(arrow))
    let style = graph.cuts.contains(arrow) ? "arrow cut" : "arrow"
    guard let definition else {
      let name = graph.name(ofArrow: arrow)
      return Markup("g", ["class": style, "role": "img", "aria-label": name]) {
        Markup("path", ["d": line])
        Markup("path", ["d": head])
      }
    }
    let ends = "\(graph.edges[arrow].from) \(graph.edges[arrow].to)"
    return Markup("g", ["id": definition, "class": style, "data-ends": ends]) {
      Markup("path", ["d": line])
      Markup("path", ["d": head])
      drawnLabel(of: arrow)
    }
  }

  /// The line of an arrow, and the triangle at its end.
  private func path(
    _ wire: [GraphLayout.Stretch], isReversed: Bool
  ) -> (line: String, head: String) {
    var points = wire.flatMap { [(x: $0.x, y: $0.top), (x: $0.x, y: $0.bottom)] }
    let tip = isReversed ? points[0] : points[points.count - 1]
    let length = isReversed ? 8.0 : -8.0
    if isReversed { points[0].y += length } else { points[points.count - 1].y += length }
    var line = "M\(number(points[0].x)) \(number(points[0].y))"
    // A point in the middle of a straight piece draws nothing, and a page has thousands.
    let corners = points.indices.filter { index in
      let beside = points[max(0, index - 1)...min(index + 1, points.count - 1)]
      return beside.count < 3 || !beside.allSatisfy { $0.x == points[index].x }
    }.map { points[$0] }
    for (from, to) in zip(corners, corners.dropFirst()) {
      let middle = number((from.y + to.y) / 2)
      line +=
        from.x == to.x
        ? "V\(number(to.y))"
        : "C\(number(from.x)) \(middle) \(number(to.x)) \(middle) \(number(to.x)) \(number(to.y))"
    }
    return (line, "M\(number(tip.x)) \(number(tip.y))l-4.5 \(number(length))h9z")
  }

  /// The same for an arrow from the right side of a box back to it.
  private func loop(at box: GraphLayout.Frame) -> (line: String, head: String) {
    let (x, y) = (box.x + box.width, box.y + box.height / 2)
    let out = number(x + GraphRows.loop + 7)
    return (
      "M\(number(x)) \(number(y - 7))C\(out) \(number(y - 18)) \(out) \(number(y + 18)) "
        + "\(number(x + 8)) \(number(y + 7))",
      "M\(number(x)) \(number(y + 7))l8 -4.5v9z"
    )
  }

  /// A length in the page's unit of letters.
  private func rems(_ length: Double) -> String { "\(decimal(length / 16, places: 1))rem" }

  /// A length in whole units: a unit is a pixel or less, and a page has thousands of lengths.
  private func number(_ value: Double) -> String { decimal(value, places: 0) }
}
