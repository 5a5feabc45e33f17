extension EdgeList {
  /// How many releases would go on inside one another if a block was released.
  ///
  /// What is released releases what it holds before it is gone, and what nothing else holds does the same.
  /// A class's one property of its own optional type is the exception: the compiler takes such a list apart
  /// in a loop, https://github.com/swiftlang/swift/blob/main/lib/SILGen/SILGenDestructor.cpp. A `deinit`
  /// that does so itself is not seen.
  ///
  /// - Parameters:
  ///   - check: the runtime's counts.
  ///   - ownLink: where a block has such a property.
  package func releaseDepth(
    of block: Int, _ check: CrossCheck, ownLink: (_ block: Int) -> UInt?
  ) -> Int {
    var (order, next) = ([(block: block, owner: 0, steps: 0)], 0)
    while next < order.count {
      let owner = order[next].block
      let link = ownLink(owner)
      for edge in edges(of: owner) where !isStale(edge) {
        guard target(edge) != block, check.retainCount(of: target(edge)) == 1 else { continue }
        order.append((target(edge), next, slot(edge) == link ? 0 : 1))
      }
      // Each but the first has one owner, and is met by one reference; but counts that change meanwhile may say
      // so of a ring.
      guard order.count <= count + 1 else { return 1 }
      next += 1
    }
    var depths = [Int](repeating: 1, count: order.count)
    for place in order.indices.dropFirst().reversed() {
      let (_, owner, steps) = order[place]
      depths[owner] = max(depths[owner], depths[place] + steps)
    }
    return depths[0]
  }
}
