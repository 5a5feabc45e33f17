import MemlabKit
import MemlabScenarios
import MemlabSite
import TestSupport
import Testing

@Suite("The layout of a graph") struct GraphLayoutTests {
  @Test(
    "keeps boxes and labels apart and inside, for every ending of the catalog",
    arguments: Slow.all(Catalog.scenarios, orEach: 3))
  func catalog(scenario: Scenario) throws {
    for trial in try Reports.of(scenario.id).trials {
      let unfinished = trial.tasks.filter { $0.live > 0 }.map(\.name)
      let graph = OwnershipGraph(trial.heap?.paths ?? [], unfinished: unfinished)
      expectNoCollision(graph, "\(scenario.id), \(trial.ending)")
    }
  }

  @Test(
    "keeps boxes and labels apart and inside, for graphs that luck has made",
    arguments: 1...(Slow.isOn ? 300 : 60))
  func random(seed: Int) {
    var luck = SplitMix64(seed: UInt64(seed))
    let count = Int.random(in: 1...12, using: &luck)
    let nodes = (0..<count).map { index in
      let name = String(repeating: "Name\(index).<", count: Int.random(in: 1...12, using: &luck))
      return OwnershipGraph.Node(kind: .object, name: name)
    }
    let edges = (0..<Int.random(in: 0...(2 * count), using: &luck)).map { _ in
      OwnershipGraph.Edge(
        from: Int.random(in: 0..<count, using: &luck), to: Int.random(in: 0..<count, using: &luck),
        label: String(repeating: "label ", count: Int.random(in: 0...6, using: &luck)))
    }
    let graph = OwnershipGraph(
      nodes: nodes, edges: edges,
      survivors: nodes.indices.filter { _ in Bool.random(using: &luck) },
      cuts: edges.indices.filter { _ in Bool.random(using: &luck) })
    expectNoCollision(graph, "seed \(seed)")
  }

  @Test("puts a chain straight down, each below who holds it") func chain() {
    let layout = GraphLayout(
      Self.graph(["task", "closure", "object"], [(0, 1, "runs"), (1, 2, "")]))
    #expect(layout.boxes.map(\.y) == layout.boxes.map(\.y).sorted())
    for wire in layout.wires { #expect(Set(wire.map(\.x)).count == 1) }
  }

  @Test("lets the arrow that closes a cycle lead up, around what lies between")
  func cycle() throws {
    let layout = GraphLayout(
      Self.graph(["A", "B", "C"], [(0, 1, "field"), (1, 2, "field"), (2, 0, "field")]))
    #expect(layout.reversed == [2])
    let middle = layout.boxes[1]
    let passing = try #require(layout.wires[2].first { $0.top <= middle.y && middle.y < $0.bottom })
    #expect(passing.x < middle.x || passing.x > middle.x + middle.width)
  }

  @Test("crosses no arrows of a tree, nor of two roots that hold the same") func order() {
    let tree = Self.graph(
      ["A", "B", "C", "B1", "C1", "B2"],
      [(0, 1, ""), (0, 2, ""), (1, 3, ""), (2, 4, ""), (1, 5, "")])
    let roots = Self.graph(["X", "Y", "AX", "AY"], [(3, 1, ""), (2, 0, "")])
    for layout in [GraphLayout(tree), GraphLayout(roots)] {
      for (index, wire) in layout.wires.enumerated() {
        for other in layout.wires[(index + 1)...] where wire[0].top == other[0].top {
          let (starts, ends) = (wire[0].x - other[0].x, wire.last!.x - other.last!.x)
          #expect(starts * ends >= 0)
        }
      }
    }
  }

  private static func graph(
    _ names: [String], _ edges: [(from: Int, to: Int, label: String)]
  ) -> OwnershipGraph {
    OwnershipGraph(
      nodes: names.map { .init(kind: .object, name: $0) },
      edges: edges.map { .init(from: $0.from, to: $0.to, label: $0.label) })
  }

  private func expectNoCollision(_ graph: OwnershipGraph, _ what: String) {
    let layout = GraphLayout(graph)
    let frames = layout.boxes + layout.labels.values
    #expect(layout.boxes.count == graph.nodes.count, "\(what)")
    let labelled = graph.edges.indices.filter { !graph.lines(ofEdge: $0).isEmpty }
    #expect(layout.labels.keys.sorted() == labelled, "\(what)")
    #expect(layout.wires.count == graph.edges.count, "\(what)")
    for (index, frame) in frames.enumerated() {
      #expect(frame.x >= 0 && frame.y >= 0, "\(what)")
      #expect(frame.x + frame.width <= layout.width, "\(what)")
      #expect(frame.y + frame.height <= layout.height, "\(what)")
      for other in frames[(index + 1)...] where frame.overlaps(other) {
        Issue.record("\(what): \(frame) overlaps \(other)")
      }
    }
    for wire in layout.wires { expectFreeWay(wire, layout, what) }
  }

  /// An arrow touches no box but at its ends, and no label but beside it.
  private func expectFreeWay(_ wire: [GraphLayout.Stretch], _ layout: GraphLayout, _ what: String) {
    for stretch in wire {
      #expect((0...layout.width).contains(stretch.x), "\(what)")
      let way = GraphLayout.Frame(
        x: stretch.x, y: stretch.top, width: 0, height: stretch.bottom - stretch.top)
      for frame in layout.boxes + layout.labels.values where frame.overlaps(way) {
        Issue.record("\(what): an arrow at \(way) crosses \(frame)")
      }
    }
  }
}

extension GraphLayout.Frame {
  /// Whether two rectangles have any inner point in common.
  fileprivate func overlaps(_ other: Self) -> Bool {
    x < other.x + other.width && other.x < x + width
      && y < other.y + other.height && other.y < y + height
  }
}
