import MemlabHeapModel

/// A place outside the heap that keeps a block alive.
package struct FoundRoot: Sendable {
  /// Where the reference is.
  package enum Place: Sendable {
    /// An unfinished task: the block itself.
    case task
    /// A word of a loaded image's writable data.
    case global(UInt)
    /// An object that stands for a variable: the block itself.
    case variable
  }
  /// The block that is kept alive.
  package var block: Int
  /// What keeps it alive.
  package var place: Place
  /// The function that stands before the reference in a global variable: what is kept alive is the
  /// context that a closure is called with.
  package var function: UInt?

  /// A place that keeps a block alive.
  package init(block: Int, place: Place, function: UInt? = nil) {
    (self.block, self.place, self.function) = (block, place, function)
  }
}

/// The shortest way from a root to each block.
///
/// Tasks and globals come first, a tie going to the task; then cycles that nothing else reaches, then
/// blocks that nothing at all was found to hold.
package struct Reach: Sendable {
  /// How a block was reached first.
  package enum Origin: UInt8, Sendable {
    /// From a task or a global.
    case root = 1
    /// From a cycle that nothing else reaches.
    case cycle
    /// From a block that nothing was found to hold.
    case unknown
  }

  /// The root at which a way begins, by its first block.
  package private(set) var roots: [Int: FoundRoot] = [:]
  /// Groups of blocks that refer to each other in a circle and that no root reaches.
  package private(set) var cycles: [[Int]] = []
  // The place in `cycles` of the group that a block is in.
  private var rings: [Int: Int] = [:]
  /// Blocks that a cycle leads to, and also a block that nothing was found to hold.
  package private(set) var heldBesidesCycles: Set<Int> = []
  // The block from which each block was reached, counted from 1, and zero for the first of a way; in
  // the upper bits how it was reached.
  private var links: ContiguousArray<UInt32>
  private var reached = 0
  private var queue: ContiguousArray<UInt32> = []
  private static let originShift: UInt32 = 29
  // Of a block that was not reached: another one refers to it.
  private static let isHeld: UInt32 = 1

  /// Walks from the roots, the preferred ones first.
  ///
  /// - Parameters:
  ///   - others: roots that count only for what the first ones do not lead to.
  ///   - isLast: whether a block may be a leftover where nothing was found to hold it: what it leads to is
  ///     reached from it last.
  package init(
    edges: EdgeList, in blocks: BlockList, roots: [FoundRoot], others: [FoundRoot],
    _ isLast: (_ block: Int) -> Bool
  ) {
    links = ContiguousArray(inLargePages: 0, count: blocks.count)
    for roots in [roots, others] {
      for root in roots where links[root.block] == 0 {
        self.roots[root.block] = root
        begin(at: root.block, .root)
      }
      spread(.root, edges)
    }
    guard reached < blocks.count else { return }
    // By age and not by address: what has no root is told the same way in every process.
    let rest = blocks.byAge(links.indices.filter { links[$0] == 0 })
    cycles = Cycles.find(edges, in: rest, places: &links).map(blocks.byAge)
    for (number, cycle) in cycles.enumerated() { for block in cycle { rings[block] = number } }
    // Each begins at its oldest block, also one that another leads to.
    for cycle in cycles.reversed() { begin(at: cycle[0], .cycle) }
    spread(.cycle, edges)
    reachTheRest(edges, rest, isLast)
  }

  /// The block from which a block was reached; -1 for the first block of a way.
  package func holder(of block: Int) -> Int { Int(links[block] & (1 << Self.originShift - 1)) - 1 }

  /// The place in ``cycles`` of the group that a block is in; nil for a block that is in none.
  package func ring(of block: Int) -> Int? { rings[block] }

  /// How a block was reached; unknown while it was not.
  package func origin(of block: Int) -> Origin {
    Origin(rawValue: UInt8(links[block] >> Self.originShift)) ?? .unknown
  }

  private mutating func begin(at block: Int, _ origin: Origin) {
    guard links[block] == 0 else { return }
    links[block] = UInt32(origin.rawValue) << Self.originShift
    reached += 1
    queue.append(UInt32(block))
  }

  private mutating func spread(_ origin: Origin, _ edges: EdgeList) {
    var (next, queue) = (0, self.queue)
    var reached = reached
    links.withUnsafeMutableBufferPointer { links in
      while next < queue.count {
        let holder = queue[next]
        let link = UInt32(origin.rawValue) << Self.originShift | holder + 1
        next += 1
        for edge in edges.edges(of: Int(holder)) where !edges.isStale(edge) {
          let target = edges.target(edge)
          guard links[target] == 0 else { continue }
          links[target] = link
          reached += 1
          queue.append(UInt32(target))
        }
        // What has been dealt with makes room: a long list never has more than one that has not.
        guard next > 4096, next * 2 > queue.count else { continue }
        queue.removeSubrange(..<next)
        next = 0
      }
    }
    (self.queue, self.reached) = ([], reached)
  }

  private mutating func reachTheRest(_ edges: EdgeList, _ rest: [Int], _ isLast: (Int) -> Bool) {
    let left = rest.filter { links[$0] == 0 }
    for block in left {
      for edge in edges.edges(of: block) where !edges.isStale(edge) {
        let target = edges.target(edge)
        if links[target] == 0 { links[target] = Self.isHeld }
        if origin(of: target) == .cycle { heldBesidesCycles.insert(target) }
      }
    }
    let heads = left.filter { links[$0] == 0 }
    for block in left where links[block] == Self.isHeld { links[block] = 0 }
    let areLast = heads.map(isLast)
    for isLast in [false, true] {
      for (block, last) in zip(heads, areLast) where last == isLast { begin(at: block, .unknown) }
      spread(.unknown, edges)
    }
  }

  /// The blocks that lead to a block, in order from its root, the block itself included.
  package func way(to block: Int) -> [Int] {
    var way = [block]
    while case let holder = holder(of: way[way.count - 1]), holder >= 0 { way.append(holder) }
    return way.reversed()
  }
}
