/// What a chain is made from: the survey of this process, or a dump of another one.
package protocol ChainSource {
  /// The blocks that lead to a block, in order, and what they begin at.
  func way(to block: Int) -> (blocks: [Int], kind: RetainChain.Root.Kind)
  /// The block that a way begins with, under its name.
  func start(_ block: Int) -> HeapNode
  /// What a way begins at that isn't a block: a global variable, or a stack.
  func outside(of block: Int, _ kind: RetainChain.Root.Kind) -> HeapNode?
  /// The reference from there to the block that a way begins with.
  func link(from outside: HeapNode, to block: Int) -> RetainChain.Link
  /// The reference from one block to another, and what it leads to.
  func link(from holder: Int, to target: Int) -> RetainChain.Link
  /// The task that a block is.
  func task(_ block: Int) -> HeapTask?
  /// What the chain says of a block itself.
  func facts(of block: Int) -> ChainFacts

  /// How many releases would go on inside one another if a block was released; nil where that is not
  /// known.
  func releaseDepth(of block: Int) -> Int?
  /// Whether a block outside of a cycle, which nothing was found to hold either, leads to one of some
  /// blocks of that cycle.
  func isHeldBesidesCycle(anyOf blocks: [Int]) -> Bool
}

/// The longest chain that is shown whole, in links.
private let longestChain = 64

/// What a chain says of the block at its end.
package struct ChainFacts {
  /// The qualified name of its class; empty where it has none.
  package var type: String
  /// How many strong references to it were found.
  package var referencesFound: Int
  /// The runtime's own count; nil where it keeps none.
  package var retainCount: Int?
  /// The recorder's number.
  package var serial: UInt64

  /// What is known of a block.
  package init(type: String, referencesFound: Int, retainCount: Int?, serial: UInt64) {
    (self.type, self.referencesFound) = (type, referencesFound)
    (self.retainCount, self.serial) = (retainCount, serial)
  }

  /// Whether the runtime counts more references than were found.
  package var hasUnknownHolder: Bool { retainCount.map { $0 > referencesFound } ?? false }
}

extension ChainSource {
  /// Why a block is alive.
  package func chain(to block: Int) -> RetainChain {
    let (way, origin) = way(to: block)
    let (omitted, half) = (max(0, way.count - 1 - longestChain), longestChain / 2)
    let steps = way.indices.dropFirst()
    let shown = [steps.prefix(half), steps.dropFirst(half + omitted)].joined()
    let circle = origin == .cycle ? way.map { (block: $0, facts: facts(of: $0)) } : []
    let end = circle.indices.dropFirst().first { way[$0] == way[0] }
    var links = shown.map { link(from: way[$0 - 1], to: way[$0]) }
    let ring = zip(shown, links.indices).prefix { place, _ in place <= end ?? 0 }
    let objects = ring.filter { links[$1].target.isObject }
    let captures = objects.filter {
      links[$1].closure != nil || links[$1].kind == .capture && start(way[$0 - 1]).boxName == nil
    }
    let cut = (captures.isEmpty ? objects : captures)
      .min { circle[$0.0].facts.serial < circle[$1.0].facts.serial }?.0
    for (place, index) in ring {
      (links[index].closesRing, links[index].breaksRing) = (place == end, place == cut)
    }
    var first = start(way[0])
    if let outside = outside(of: way[0], origin) {
      links.insert(link(from: outside, to: way[0]), at: 0)
      first = outside
    }
    let own = facts(of: block)
    var root = RetainChain.Root(
      kind: origin, node: first, task: origin == .task ? task(way[0]) : nil)
    root.isHeldElsewhere = isHeldElsewhere(circle.dropLast())
    return RetainChain(
      type: own.type, root: root, links: links, omitted: omitted, holder: Holder(first, links),
      referencesFound: own.referencesFound, retainCount: own.retainCount,
      releaseDepth: releaseDepth(of: block).flatMap { $0 < RetainChain.deepRelease ? nil : $0 },
      serial: own.serial)
  }

  // An address that was left somewhere may be counted in the place of a reference that was not found.
  // One to a block without a count means nothing.
  private func isHeldElsewhere(_ circle: ArraySlice<(block: Int, facts: ChainFacts)>) -> Bool {
    let counted = circle.filter { $0.facts.retainCount != nil }
    return counted.contains { $0.facts.hasUnknownHolder }
      || isHeldBesidesCycle(anyOf: counted.map(\.block))
  }
}

extension HeapNode {
  /// The link from a global variable to a block. An unknown variable has no name.
  package func link(to target: HeapNode) -> RetainChain.Link {
    RetainChain.Link(kind: .global, name: name.isEmpty ? nil : name, target: target)
  }
}

/// The shortest circle of references from a block back to itself.
///
/// - Parameter targets: the blocks that a block refers to.
/// - Returns: the blocks in order, the block first and last; nil when there is none.
package func shortestCircle(through block: Int, targets: (Int) -> [Int]) -> [Int]? {
  var holders: [Int: Int] = [:]
  var queue = [block]
  var next = 0
  while next < queue.count {
    let holder = queue[next]
    for target in targets(holder) where holders[target] == nil {
      holders[target] = holder
      if target == block {
        let way = sequence(first: holder) { $0 == block ? nil : holders[$0] }
        return way.reversed() + [block]
      }
      queue.append(target)
    }
    next += 1
  }
  return nil
}
