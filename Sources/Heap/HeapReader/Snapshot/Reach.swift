import MemlabHeapModel

/// The shortest way from a root to each block.
///
/// Tasks and globals come first, a tie going to the task; stacks count only for what is left,
/// then cycles that nothing else reaches, then blocks that nothing at all was found to hold.
struct Reach: Sendable {
  /// How a block was reached first.
  enum Origin: UInt8 {
    /// Not at all.
    case none
    /// From a task or a global.
    case root
    /// From the stack of a thread.
    case stack
    /// From a cycle that nothing else reaches.
    case cycle
    /// From a block that nothing was found to hold.
    case unknown
  }

  /// The block from which a block was reached; -1 for the first block of a way.
  private(set) var holders: ContiguousArray<Int32>
  /// How each block was reached.
  private(set) var origins: ContiguousArray<Origin>
  /// The root at which a way begins, by its first block.
  private(set) var roots: [Int: FoundRoot] = [:]
  /// Groups of blocks that refer to each other in a circle and that no root reaches.
  private(set) var cycles: [[Int]] = []
  private var queue: ContiguousArray<UInt32> = []

  /// Walks from the roots, the preferred ones first.
  ///
  /// - Parameters:
  ///   - others: roots that count only for what the first ones do not lead to.
  ///   - stack: words of a stack, which count only for what is left then.
  init(
    edges: EdgeList, blocks: BlockList, roots: [FoundRoot], others: [FoundRoot] = [],
    stack: [FoundRoot]
  ) {
    let count = blocks.count
    holders = ContiguousArray(inLargePages: -1, count: count)
    origins = ContiguousArray(inLargePages: .none, count: count)
    queue = ContiguousArray(withRoomFor: count)
    for root in roots { begin(at: root) }
    spread(.root, edges)
    for root in others { begin(at: root) }
    spread(.root, edges)
    for root in stack { begin(at: root, .stack) }
    spread(.stack, edges)
    guard queue.count < count else {
      queue = []
      return
    }
    // By age and not by address: what has no root is told the same way in every process.
    let rest = origins.indices.filter { origins[$0] == .none }
      .sorted { blocks.serial($0) < blocks.serial($1) }
    cycles = Cycles.find(edges: edges, in: rest, among: origins).map { cycle in
      cycle.sorted { blocks.serial($0) < blocks.serial($1) }
    }
    // A cycle that hangs off another one comes later in the list, and is reached from that one.
    for cycle in cycles.reversed() { begin(at: cycle[0], .cycle) }
    spread(.cycle, edges)
    reachTheRest(edges, rest)
    queue = []
  }

  private var next = 0

  private mutating func begin(at root: FoundRoot, _ origin: Origin = .root) {
    if origins[root.block] == .none { roots[root.block] = root }
    begin(at: root.block, origin)
  }

  private mutating func begin(at block: Int, _ origin: Origin) {
    guard origins[block] == .none else { return }
    origins[block] = origin
    queue.append(UInt32(block))
  }

  private mutating func spread(_ origin: Origin, _ edges: EdgeList) {
    while next < queue.count {
      let holder = Int(queue[next])
      for edge in edges.edges(of: holder) where edges.kinds[edge] != .stale {
        let target = Int(edges.targets[edge])
        guard origins[target] == .none else { continue }
        holders[target] = Int32(holder)
        begin(at: target, origin)
      }
      next += 1
    }
  }

  private mutating func reachTheRest(_ edges: EdgeList, _ rest: [Int]) {
    var isHeld = [Bool](repeating: false, count: origins.count)
    for block in rest where origins[block] == .none {
      for edge in edges.edges(of: block) where edges.kinds[edge] != .stale {
        isHeld[Int(edges.targets[edge])] = true
      }
    }
    for block in rest where !isHeld[block] {
      begin(at: block, .unknown)
    }
    spread(.unknown, edges)
  }

  /// The blocks that lead to a block, in order from its root, the block itself included.
  func way(to block: Int) -> [Int] {
    var way = [block]
    var block = block
    while holders[block] >= 0 {
      block = Int(holders[block])
      way.append(block)
    }
    return way.reversed()
  }
}
