package import MemlabKit
import MemlabTerminalText

/// A graph as an SVG picture that takes its colours from the page.
struct GraphDrawing {
  /// Who holds whom.
  let graph: OwnershipGraph
  private let layout: GraphLayout
  private let anchor, title: String

  /// A picture.
  ///
  /// - Parameters:
  ///   - graph: who holds whom.
  ///   - anchor: what ids in the page begin with.
  ///   - title: what it is a picture of.
  init(of graph: OwnershipGraph, anchor: String, title: String) {
    self.graph = graph
    layout = GraphLayout(graph)
    (self.anchor, self.title) = (anchor, title)
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

  /// The picture in a box that scrolls, with what stands above it.
  func figure(below caption: Markup = Markup([])) -> Markup {
    Markup("figure", ["class": "graph"]) {
      caption
      Markup.scrolling("Picture: who holds what is left") { markup }
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
      let attributes: KeyValuePairs<String, String?> = [
        "class": "graph", "role": "img", "aria-label": title, "viewBox": room,
        "style": "--width:\(width)",
      ]
      return Markup("svg", attributes, content: content)
    }
    let attributes: KeyValuePairs<String, String?> = [
      "class": "graph", "role": "group", "aria-labelledby": "\(anchor)/title",
      "aria-describedby": "\(anchor)/desc", "viewBox": room, "preserveAspectRatio": "xMinYMin",
      "style": "width:\(width);max-width:max(100%,\(rems(layout.width * 0.8)))",
    ]
    return Markup("svg", attributes) {
      Markup("title", ["id": "\(anchor)/title"]) { title }
      content()
    }
  }

  /// Who holds whom, a sentence each, and what is left.
  private var words: String {
    let left = graph.nodes.indices.compactMap { node in
      graph.remark(ofNode: node).map { "\(graph.nodes[node].name): \($0)" }
    }
    let sentences = graph.edges.indices.map { graph.name(ofArrow: $0) } + left
    return sentences.map { $0 + "." }.joined(separator: " ")
  }

  /// A box, which has a name unless it is only a definition.
  func drawn(box: Int, definition: String? = nil) -> Markup {
    let (frame, kind) = (layout.boxes[box], graph.nodes[box].kind)
    let radius = kind == .root ? min(18, frame.height / 2) : 3
    let (remark, lines) = (graph.remark(ofNode: box), graph.lines(ofNode: box))
    let attributes: KeyValuePairs<String, String?> = [
      "id": definition, "class": "box \(kind.rawValue)" + (remark == nil ? "" : " left"),
      "data-name": definition == nil || lines.count == 1 ? nil : graph.nodes[box].name,
      "role": definition == nil ? "img" : nil,
      "aria-label": definition == nil ? graph.name(ofBox: box) : nil,
    ]
    let shape: KeyValuePairs<String, String?> = [
      "x": number(frame.x), "y": number(frame.y), "width": number(frame.width),
      "height": number(frame.height), "rx": number(radius),
    ]
    return Markup("g", attributes) {
      Markup("rect", shape)
      text(lines, isRemarked: remark != nil, at: frame.x + frame.width / 2, frame.y + 7)
    }
  }

  private func drawnLabel(of arrow: Int) -> Markup? {
    layout.labels[arrow].map { frame in
      let lines = graph.lines(ofEdge: arrow)
      return Markup("g", ["class": "label", "aria-hidden": "true"]) {
        text(lines, isRemarked: graph.cuts.contains(arrow), at: frame.x, frame.y)
      }
    }
  }

  /// Lines of text, the last of them a remark or not.
  private func text(_ lines: [String], isRemarked: Bool, at x: Double, _ top: Double) -> Markup {
    Markup(
      lines.enumerated().map { place, line in
        let style = isRemarked && place == lines.count - 1 ? "remark" : nil
        let baseline = number(top + (Double(place) + 0.75) * GraphText.lineHeight)
        return Markup("text", ["class": style, "x": number(x), "y": baseline]) { line }
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
    let paths = Markup([Markup("path", ["d": line]), Markup("path", ["d": head])])
    guard let definition else {
      let name = graph.name(ofArrow: arrow)
      return Markup("g", ["class": style, "role": "img", "aria-label": name]) { paths }
    }
    let ends = "\(graph.edges[arrow].from) \(graph.edges[arrow].to)"
    let label = graph.lines(ofEdge: arrow).count > 1 ? graph.edges[arrow].label : nil
    return Markup("g", ["id": definition, "class": style, "data-ends": ends, "data-name": label]) {
      paths
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
    let (top, bottom) = ("\(number(x)) \(number(y - 7))", "\(number(y + 7))")
    let bend = "\(out) \(number(y - 18)) \(out) \(number(y + 18))"
    return ("M\(top)C\(bend) \(number(x + 8)) \(bottom)", "M\(number(x)) \(bottom)l8 -4.5v9z")
  }

  /// A length in the page's unit of letters.
  private func rems(_ length: Double) -> String { "\(decimal(length / 16, places: 1))rem" }

  /// A length in whole units: a unit is a pixel or less, and a page has thousands of lengths.
  private func number(_ value: Double) -> String { decimal(value, places: 0) }
}

/// How a box or an arrow is drawn in one picture of a series.
enum GraphPart: String {
  /// As it was in the picture before, or where there is only one picture.
  case same
  /// For the first time.
  case new
  /// No more, with a trace of where it was.
  case gone
  /// Not at all: its place is free.
  case absent
}

/// Pictures of parts of one graph: what stays is at the same place in all of them, and each shape
/// stands in the page once.
struct GraphSeries {
  /// How the boxes and the arrows of one picture are drawn, in the graph's order.
  struct Picture {
    /// The boxes.
    var boxes: [GraphPart]
    /// The arrows.
    var arrows: [GraphPart]
    /// The arrows that are lit, by their places: those that another picture does not have.
    var lit: Set<Int> = []
    /// The strong references to the boxes that are objects under study, by their places, and how many
    /// those were in the picture before; nil where there was none, or where nothing changed.
    var counts: [Int: (now: Int, before: Int?)] = [:]
  }

  private let drawing: GraphDrawing
  private let anchor: String
  private var graph: OwnershipGraph { drawing.graph }

  /// The pictures of a graph.
  ///
  /// - Parameters:
  ///   - graph: everything that any of them shows.
  ///   - anchor: what ids in the page begin with.
  ///   - title: what they are pictures of.
  init(of graph: OwnershipGraph, anchor: String, title: String) {
    drawing = GraphDrawing(of: graph, anchor: anchor, title: title)
    self.anchor = anchor
  }

  /// Whether they need the whole width of a page.
  var isWide: Bool { drawing.isWide }

  /// The shapes that the pictures use; it takes no room.
  var definitions: Markup {
    Markup("svg", ["class": "defs", "aria-hidden": "true", "width": "0", "height": "0"]) {
      Markup("defs") {
        for arrow in graph.edges.indices {
          drawing.drawn(arrow: arrow, definition: "\(anchor)a\(arrow)")
        }
        for box in graph.nodes.indices { drawing.drawn(box: box, definition: "\(anchor)b\(box)") }
      }
    }
  }

  /// One picture.
  func markup(of picture: Picture) -> Markup {
    drawing.frame {
      for arrow in graph.edges.indices where picture.arrows[arrow] != .absent {
        let style = graph.edges[arrow].isDeclared ? "declared" : nil
        use("a\(arrow)", picture.arrows[arrow], picture.lit.contains(arrow) ? "lit" : nil, style)
      }
      for box in graph.nodes.indices where picture.boxes[box] != .absent {
        use("b\(box)", picture.boxes[box], count: picture.counts[box])
      }
    }
  }

  /// The script gives it a name; without one, the step says in words what the picture shows.
  private func use(
    _ shape: String, _ part: GraphPart, _ others: String?..., count: (now: Int, before: Int?)? = nil
  ) -> Markup {
    let styles = (part == .same ? [] : [part.rawValue]) + others.compactMap(\.self)
    let style = styles.isEmpty ? nil : styles.joined(separator: " ")
    let attributes: KeyValuePairs<String, String?> = [
      "href": "#\(anchor)\(shape)", "class": style, "data-count": (count?.now).map(String.init),
      "data-was": (count?.before).map(String.init),
    ]
    return Markup("use", attributes)
  }
}

extension OwnershipGraph {
  /// An arrow in words: "Planet holds Moon by moon".
  package func name(ofArrow arrow: Int) -> String {
    let edge = edges[arrow]
    return "\(nodes[edge.from].name) holds \(nodes[edge.to].name)"
      + (edge.label.isEmpty ? "" : " by \(edge.label)")
      + (cuts.contains(arrow) ? " (the edge to cut)" : "")
  }

  /// A box in words: its name, and what has become of it.
  package func name(ofBox box: Int) -> String {
    nodes[box].name + (remark(ofNode: box).map { ", \($0)" } ?? "")
  }
}
