import MemlabHeapModel

extension Survey {
  /// The live instances of some classes.
  func instances(of types: Set<String>) -> [Int] {
    let isWanted = layoutIDs.instances(of: types, among: layouts)
    return kinds.indices.filter { kinds[$0] == .instance && isWanted[Int(layoutIDs[$0])] }
  }

  /// The groups of blocks that hold each other, those of plain memory apart.
  var objectCycles: [[Int]] {
    reach.cycles.filter { $0.contains { kinds[$0] == .instance } }
  }

  /// The block of an object; nil when it isn't on the recorded heap.
  func block(of object: AnyObject) -> Int? {
    block(at: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
  }

  /// The block that begins at an address.
  func block(at address: UInt) -> Int? {
    let block = blocks.index(of: address)
    return block < 0 ? nil : block
  }

  /// The blocks that only some instances and tasks keep alive, those included.
  func blocksLost(with types: Set<String>, tasks names: Set<String>) -> [Int] {
    let leaked = tasks.filter { !$0.value.isFinished && names.contains($0.value.name ?? "") }.keys
    let survivors = Set(instances(of: types)).union(leaked)
    let others = ((roots + stack).map(\.block) + variables.keys).filter { !survivors.contains($0) }
    var isKept = [Bool](repeating: false, count: kinds.count)
    _ = spread(from: others, marking: &isKept) { !survivors.contains($0) }
    return spread(from: survivors.sorted(), marking: &isKept) { _ in true }
  }

  /// Whether each block is one of some blocks, or is held by what they lead to.
  func reached(from start: [Int]) -> [Bool] {
    var isReached = [Bool](repeating: false, count: kinds.count)
    _ = spread(from: start, marking: &isReached) { _ in true }
    return isReached
  }

  private func spread(
    from start: [Int], marking isMarked: inout [Bool], through isWanted: (Int) -> Bool
  ) -> [Int] {
    var queue: [Int] = []
    for block in start where !isMarked[block] {
      isMarked[block] = true
      queue.append(block)
    }
    var next = 0
    while next < queue.count {
      for edge in edges.edges(of: queue[next]) where edges.kinds[edge] != .stale {
        let target = Int(edges.targets[edge])
        guard !isMarked[target], isWanted(target) else { continue }
        isMarked[target] = true
        queue.append(target)
      }
      next += 1
    }
    return queue
  }

  /// The shortest circle of references from a block back to itself: the blocks in order, the
  /// block first and last; nil when there is none.
  func circle(through block: Int) -> [Int]? {
    shortestCircle(through: block) { holder in
      edges.edges(of: holder).compactMap { edge in
        edges.kinds[edge] == .stale ? nil : Int(edges.targets[edge])
      }
    }
  }
}
