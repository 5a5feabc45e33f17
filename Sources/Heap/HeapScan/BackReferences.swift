/// Which blocks refer to a block, or which references of a list, the one that was found last first.
package struct BackReferences {
  // For each block the latest reference to it; for each reference its source, and the one before it.
  private var latest: ContiguousArray<Int32>
  private var sources: ContiguousArray<Int32> = []
  private var earlier: ContiguousArray<Int32> = []

  /// None yet to any of so many blocks.
  package init(count: Int) {
    latest = ContiguousArray(repeating: -1, count: count)
    sources.reserveCapacity(count * 2)
    earlier.reserveCapacity(count * 2)
  }

  /// All references between so many blocks that are not crossed out, by their places in a list.
  package init(along edges: EdgeList, among count: Int) {
    self.init(count: count)
    for edge in 0..<edges.count where !edges.isStale(edge) { add(edge, holds: edges.target(edge)) }
  }

  /// The blocks, or the references, that lead to a block, the latest first, one for each reference.
  package subscript(block: Int) -> [Int] {
    var found: [Int] = []
    var entry = latest[block]
    while entry >= 0 {
      found.append(Int(sources[Int(entry)]))
      entry = earlier[Int(entry)]
    }
    return found
  }

  /// Whether something refers to a block.
  package func isHeld(_ block: Int) -> Bool { latest[block] >= 0 }

  /// Adds a reference.
  package mutating func add(_ source: Int, holds target: Int) {
    sources.append(Int32(source))
    earlier.append(latest[target])
    latest[target] = Int32(sources.count - 1)
  }

  /// Adds the words of a part of a block that are addresses of blocks.
  package mutating func addWords(of source: Int, in region: Region, among blocks: BlockList) {
    blocks.forEachReference(in: region) { target, _ in add(source, holds: target) }
  }
}
