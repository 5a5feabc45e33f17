import MemlabHeapModel

/// What reference counting makes of a picture in which references are cut.
///
/// It is computed, and not measured. What a `deinit` does, what a task does that goes on, and what
/// is released late is not in it: that needs a run.
package struct ReferenceCounting: Sendable {
  /// Why something stays.
  package enum Reason: Sendable, Equatable, CustomStringConvertible {
    /// A variable, a global or a task leads to it.
    case root(String)
    /// These hold each other, and lead to it.
    case cycle([String])
    /// What holds it is not in the picture.
    case unseen

    /// A phrase: "a cycle: Planet → Moon → Planet".
    package var description: String {
      switch self {
      case .root(let name): name.hasPrefix("task ") ? "\(name), which has not finished" : name
      case .cycle(let names): "a cycle: \((names + names.prefix(1)).joined(separator: " → "))"
      case .unseen: "something that is not in the picture"
      }
    }
  }

  /// The picture before anything is cut.
  package let graph: OwnershipGraph
  /// The strong references to each box.
  package private(set) var counts: [Int]
  /// What has gone, by the places of the boxes, in the order in which it goes.
  package private(set) var released: [Int] = []
  // The arrows that are still there.
  private var isHeld: [Bool]
  /// The boxes that nothing in the picture holds, and that are there all the same.
  fileprivate let unseen: Set<Int>

  /// A picture as it was measured.
  package init(_ graph: OwnershipGraph) {
    self.graph = graph
    isHeld = graph.edges.map { _ in true }
    counts = graph.nodes.indices.map { box in graph.edges.count { $0.to == box } }
    let counts = counts
    unseen = Set(graph.nodes.indices.filter { graph.nodes[$0].kind != .root && counts[$0] == 0 })
  }

  /// The same after some references were cut: each releases what it held, and what nothing holds any
  /// more goes, and releases what it held itself.
  package func cutting(_ cut: Cuttable) -> ReferenceCounting {
    cutting(roots: cut.root.map { [$0] } ?? [], arrows: cut.arrows)
  }

  /// The same after some roots have released all that they held, and some arrows are cut.
  package func cutting(roots: [Int], arrows: [Int]) -> ReferenceCounting {
    var after = self
    for root in roots where !after.released.contains(root) { after.release(box: root) }
    for arrow in arrows { after.release(arrow: arrow) }
    return after
  }

  /// Releases a box, and what it alone holds.
  fileprivate mutating func release(box: Int) {
    released.append(box)
    for arrow in graph.edges.indices where graph.edges[arrow].from == box { release(arrow: arrow) }
  }

  private mutating func release(arrow: Int) {
    guard isHeld[arrow] else { return }
    isHeld[arrow] = false
    let held = graph.edges[arrow].to
    counts[held] -= 1
    let isFree = counts[held] == 0 && graph.nodes[held].kind != .root
    if isFree, !released.contains(held) { release(box: held) }
  }

  /// The boxes that are still there, in the order of the picture.
  package var staying: [Int] { graph.nodes.indices.filter { !released.contains($0) } }

  /// The arrows that are still there.
  package var heldArrows: [Int] { isHeld.indices.filter { isHeld[$0] } }

  /// What a tracing collector would free of what stays: all that no root leads to. To it, tasks that
  /// wait are roots as well.
  package var collected: [Int] {
    let roots = staying.filter { graph.nodes[$0].kind == .root || unseen.contains($0) }
    let reached = graph.boxes(from: roots, along: heldArrows)
    return staying.filter { !reached.contains($0) }
  }

  /// Why a box stays that is no root: the nearest root that leads to it, or else a cycle.
  package func reason(for box: Int) -> Reason {
    // From the box to those that hold it, the nearest first.
    var (queue, next) = ([box], 0)
    while next < queue.count {
      let held = queue[next]
      next += 1
      if graph.nodes[held].kind == .root { return .root(graph.nodes[held].name) }
      if unseen.contains(held) { return .unseen }
      queue += heldArrows.map { graph.edges[$0] }.filter { $0.to == held }.map(\.from).uniqued()
        .filter { !queue.contains($0) }
    }
    return cycle(above: box).map { .cycle($0.map { graph.nodes[$0].name }) } ?? .unseen
  }

  /// Goes from a box up to the first that holds each, until one comes again.
  private func cycle(above box: Int) -> [Int]? {
    var way = [box]
    while let arrow = heldArrows.first(where: { graph.edges[$0].to == way[way.count - 1] }) {
      let holder = graph.edges[arrow].from
      if let start = way.firstIndex(of: holder) { return way[start...].reversed() }
      way.append(holder)
    }
    return nil
  }
}

/// What can be cut in a picture: a reference, or a variable or task with all that it holds.
package struct Cuttable: Sendable, Equatable {
  /// What it is called: `Moon.planet`, `variable moon`, `task forwarder`.
  package let name: String
  /// The arrows, by their places.
  package let arrows: [Int]
  /// The variable, global or task that is dropped; nil for a reference of an object.
  package let root: Int?
  /// What else it may be called: a variable or task without the word before it, a property of a
  /// numbered object without the number, one of several references that a property has.
  fileprivate let otherNames: [String]
}

extension OwnershipGraph {
  /// Some boxes, and all that they lead to, or that leads to them.
  ///
  /// - Parameters:
  ///   - arrows: the arrows to go along; all of them if none are named.
  ///   - isUpwards: whether to go against them.
  package func boxes(
    from start: [Int], along arrows: [Int]? = nil, upwards isUpwards: Bool = false
  ) -> Set<Int> {
    let arrows = (arrows ?? Array(edges.indices)).map { edges[$0] }
    let next = Dictionary(grouping: arrows) { isUpwards ? $0.to : $0.from }
    var (reached, queue) = (Set(start), start)
    while let box = queue.popLast() {
      let found = (next[box] ?? []).map { isUpwards ? $0.from : $0.to }
      queue += found.filter { reached.insert($0).inserted }
    }
    return reached
  }

  /// The same with the boxes and arrows in the order of their names, which no run changes.
  package var sorted: OwnershipGraph {
    let places = nodes.indices.sorted { nodes[$0].name < nodes[$1].name }
    let moved = Dictionary(uniqueKeysWithValues: zip(places, nodes.indices))
    return OwnershipGraph(
      nodes: places.map { nodes[$0] },
      edges: edges.sorted { words(of: $0).lexicographicallyPrecedes(words(of: $1)) }.map { edge in
        Edge(from: moved[edge.from] ?? 0, to: moved[edge.to] ?? 0, label: edge.label)
      })
  }

  /// All that can be cut: the roots, then the references of all others in the order of the picture.
  package var cuttables: [Cuttable] {
    let roots = nodes.indices.filter { nodes[$0].kind == .root }.map { root in
      let bare = nodes[root].name.split(separator: " ").dropFirst().joined(separator: " ")
      return Cuttable(name: nodes[root].name, arrows: [], root: root, otherNames: [bare])
    }
    let fields = edges.map { "\(nodes[$0.from].name).\($0.label)" }
    // The only arrow of a root is the root itself.
    let arrows = edges.indices.filter { arrow in
      let holder = edges[arrow].from
      return nodes[holder].kind != .root || edges.count { $0.from == holder } > 1
    }
    return roots
      + arrows.map { arrow in
        let (edge, field) = (edges[arrow], fields[arrow])
        let holder = nodes[edge.from].name
        let isAlone = !edge.label.isEmpty && fields.count { $0 == field } == 1
        let name = "\(edge.label.isEmpty ? holder : field) → \(nodes[edge.to].name)"
        return Cuttable(
          name: isAlone ? field : name, arrows: [arrow], root: nil,
          otherNames: edge.label.isEmpty ? [] : [field, "\(holder.withoutNumber).\(edge.label)"])
      }
  }

  /// What a word on a command line names: by its whole name, or else by another that it may have.
  package func cuttables(named word: String) -> [Cuttable] {
    let exact = cuttables.filter { $0.name == word }
    return exact.isEmpty ? cuttables.filter { $0.otherNames.contains(word) } : exact
  }

  /// What an arrow joins, and how, in the names of its boxes.
  package func words(of edge: Edge) -> [String] {
    [nodes[edge.from].name, edge.label, nodes[edge.to].name]
  }
}

extension String {
  /// The name of a box without the number of an object: "Moon" of "Moon 2".
  package var withoutNumber: String {
    let words = split(separator: " ")
    guard words.count > 1, words[words.count - 1].allSatisfy(\.isNumber) else { return self }
    return words.dropLast().joined(separator: " ")
  }
}

/// What a step itself has cut, and whether reference counting alone makes of it what was recorded.
package struct StepCut: Sendable {
  /// The names of what it has cut: variables and tasks that are gone, references whose holder stays.
  package let names: [String]
  /// Whether what follows from it is more than reference counting: a task went on, or a `deinit` or
  /// the code inside a cycle let something go.
  package let needsRun: Bool

  /// What a recording says of the cut of a step.
  init(names: [String], needsRun: Bool) { (self.names, self.needsRun) = (names, needsRun) }

  /// The cut between two pictures of a film that follow each other.
  package init(from before: OwnershipGraph, to after: OwnershipGraph) {
    let all = OwnershipGraph.union(of: [before, after])
    let stays = Set(after.nodes.map(\.name))
    let kept = Set(after.edges.map { after.words(of: $0) })
    let cuts = all.cuttables.filter { cut in
      if let root = cut.root { return !stays.contains(all.nodes[root].name) }
      return cut.arrows.allSatisfy { arrow in
        stays.contains(all.nodes[all.edges[arrow].from].name)
          && !kept.contains(all.words(of: all.edges[arrow]))
      }
    }
    var counting = cuts.reduce(ReferenceCounting(all)) { $0.cutting($1) }
    // What holds these is not in the picture, and has let them go.
    let unseen = counting.unseen.filter { !stays.contains(all.nodes[$0].name) }.sorted()
    for box in unseen where !counting.released.contains(box) { counting.release(box: box) }
    names = cuts.map(\.name) + unseen.map { all.nodes[$0].name }
    needsRun =
      Set(counting.staying.map { all.nodes[$0].name }) != stays
      || Set(counting.heldArrows.map { all.words(of: all.edges[$0]) }) != kept
  }
}
