package import MemlabKit

/// What is to be drawn: boxes with their texts, and arrows between them.
package struct GraphSketch: Sendable {
  /// A box.
  package struct Box: Sendable {
    /// How a box looks.
    package enum Style: String, Sendable {
      case root, passage, object
    }

    /// How it looks.
    package let style: Style
    /// Its name.
    package let name: String
    /// Its name, in lines.
    package let lines: [String]
    /// What became of it: "leaked"; nil for what is only on the way.
    package let remark: String?

    /// A box with a name and a remark.
    package init(_ name: String, _ style: Style = .object, remark: String? = nil) {
      self.name = name
      self.style = style
      self.remark = remark
      lines = name.brokenForBox
    }
  }

  /// An arrow from the box that holds to the one that is held.
  package struct Arrow: Sendable {
    /// The index of the box that holds.
    package let from: Int
    /// The index of the box that is held.
    package let to: Int
    /// How it is held; empty where there is nothing to say.
    package let label: String
    /// What stands beside it, in lines.
    package let lines: [String]
    /// Whether it is the reference to cut.
    package let isCut: Bool

    /// An arrow with a label.
    package init(from: Int, to: Int, _ label: String = "", isCut: Bool = false) {
      self.label = label
      self.from = from
      self.to = to
      self.isCut = isCut
      lines = (label.isEmpty ? [] : label.brokenForBox) + (isCut ? ["the edge to cut"] : [])
    }
  }

  /// The boxes.
  package let boxes: [Box]
  /// The arrows.
  package let arrows: [Arrow]

  /// A sketch of these boxes and arrows.
  package init(boxes: [Box], arrows: [Arrow]) {
    self.boxes = boxes
    self.arrows = arrows
  }

  /// A sketch of who holds what is left.
  package init(_ graph: OwnershipGraph) {
    boxes = graph.nodes.enumerated().map { index, node in
      let remark = node.kind == .root ? "never finishes" : "leaked"
      return Box(
        node.name, node.kind.style, remark: graph.survivors.contains(index) ? remark : nil)
    }
    arrows = graph.edges.enumerated().map { index, edge in
      Arrow(from: edge.from, to: edge.to, edge.label, isCut: graph.cuts.contains(index))
    }
  }
}

extension OwnershipGraph.Node.Kind {
  fileprivate var style: GraphSketch.Box.Style {
    switch self {
    case .root: .root
    case .passage: .passage
    case .object: .object
    }
  }
}

extension String {
  /// The text in lines narrow enough for a telephone, broken at spaces, or else before a dot or
  /// after a bracket or comma of a long type's name, or else anywhere.
  fileprivate var brokenForBox: [String] {
    let limit = 30
    return wrapped(to: limit).flatMap { line in
      var lines = [""]
      for piece in line.typePieces(limit: limit) {
        if !lines[lines.count - 1].isEmpty,
          (lines[lines.count - 1] + piece).displayWidth > limit
        {
          lines.append("")
        }
        lines[lines.count - 1] += piece
      }
      return lines
    }
  }

  private func typePieces(limit: Int) -> [String] {
    reduce(into: [""]) { pieces, character in
      let last = pieces[pieces.count - 1]
      let isBreak = character == "." || last.last.map("<(,[".contains) ?? false
      if isBreak || (last + String(character)).displayWidth > limit, !last.isEmpty {
        pieces.append("")
      }
      pieces[pieces.count - 1].append(character)
    }
  }
}
