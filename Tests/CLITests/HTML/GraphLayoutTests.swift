import MemlabCLI
import MemlabKit
import Scenarios
import Testing

@Suite("The layout of a graph")
struct GraphLayoutTests {
  @Test(
    "keeps boxes and labels apart and inside, for every ending of the catalog",
    arguments: Catalog.scenarios)
  func catalog(scenario: Scenario) throws {
    for trial in try Reports.of(scenario.id).trials {
      let unfinished = trial.tasks.filter { $0.live > 0 }.map(\.name)
      let graph = OwnershipGraph(trial.heap?.paths ?? [], unfinished: unfinished)
      expectNoCollision(GraphSketch(graph), "\(scenario.id), \(trial.ending)")
    }
  }

  @Test(
    "keeps boxes and labels apart and inside, for graphs that luck has made", arguments: 1...300)
  func random(seed: Int) {
    var luck = SplitMix64(seed: UInt64(seed))
    let count = Int.random(in: 1...12, using: &luck)
    let boxes = (0..<count).map { index in
      GraphSketch.Box(
        String(repeating: "Name\(index).<", count: Int.random(in: 1...12, using: &luck)),
        remark: Bool.random(using: &luck) ? "leaked" : nil)
    }
    let arrows = (0..<Int.random(in: 0...(2 * count), using: &luck)).map { _ in
      GraphSketch.Arrow(
        from: Int.random(in: 0..<count, using: &luck), to: Int.random(in: 0..<count, using: &luck),
        String(repeating: "label ", count: Int.random(in: 0...6, using: &luck)),
        isCut: Bool.random(using: &luck))
    }
    expectNoCollision(GraphSketch(boxes: boxes, arrows: arrows), "seed \(seed)")
  }

  @Test("puts a chain straight down, each below who holds it")
  func chain() {
    let boxes = ["task", "closure", "object"].map { GraphSketch.Box($0) }
    let arrows = [GraphSketch.Arrow(from: 0, to: 1, "runs"), GraphSketch.Arrow(from: 1, to: 2)]
    let layout = GraphLayout(GraphSketch(boxes: boxes, arrows: arrows))
    #expect(layout.boxes.map(\.y) == layout.boxes.map(\.y).sorted())
    for wire in layout.wires { #expect(Set(wire.stretches.map(\.x)).count == 1) }
  }

  @Test("lets the arrow that closes a cycle lead up, around what lies between")
  func cycle() throws {
    let boxes = ["A", "B", "C"].map { GraphSketch.Box($0) }
    let arrows = [(0, 1), (1, 2), (2, 0)].map { GraphSketch.Arrow(from: $0.0, to: $0.1, "field") }
    let layout = GraphLayout(GraphSketch(boxes: boxes, arrows: arrows))
    #expect(layout.wires.map(\.isReversed) == [false, false, true])
    let middle = layout.boxes[1]
    let passing = try #require(
      layout.wires[2].stretches.first { $0.top <= middle.y && middle.y < $0.bottom })
    #expect(passing.x < middle.x || passing.x > middle.x + middle.width)
  }

  private func expectNoCollision(_ sketch: GraphSketch, _ what: String) {
    let layout = GraphLayout(sketch)
    let frames = layout.boxes + layout.labels.map(\.frame)
    #expect(layout.boxes.count == sketch.boxes.count, "\(what)")
    #expect(layout.labels.count == sketch.arrows.count { !$0.lines.isEmpty }, "\(what)")
    #expect(layout.wires.count + layout.loops.count == sketch.arrows.count, "\(what)")
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
  private func expectFreeWay(_ wire: GraphLayout.Wire, _ layout: GraphLayout, _ what: String) {
    for stretch in wire.stretches {
      #expect((0...layout.width).contains(stretch.x), "\(what)")
      let way = GraphLayout.Frame(
        x: stretch.x, y: stretch.top, width: 0, height: stretch.bottom - stretch.top)
      for frame in layout.boxes + layout.labels.map(\.frame) where frame.overlaps(way) {
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
