import MemlabRuntimeABI

/// The blocks in which libdispatch has noted calls that it has made, and which its threads keep for the
/// next: what stands in them means nothing any more.
///
/// A thread's first one leads to the second, and each has the number of those from it on. A call that is
/// still to be made may have such a number from before, and lead to the next of its queue. But something
/// in memory leads to the first call of a queue, and nothing to the first that a thread keeps; and by chance
/// no long list is numbered down to one. From `_dispatch_continuation_free_cacheonly` in
/// <https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/inline_internal.h>.
package struct KeptCalls {
  private var areKept: ContiguousArray<Bool>

  // Of fewer, the numbers may be chance.
  private static let fewest: UInt32 = 8

  /// Those among some blocks.
  ///
  /// - Parameter isHeld: whether something refers to a block.
  package init(among blocks: BlockList, unless isHeld: (Int) -> Bool) {
    areKept = ContiguousArray(repeating: false, count: blocks.count)
    let size = abi.dispatch.size
    for block in 0..<blocks.count where blocks.size(block) == size && !isHeld(block) {
      note(from: block, blocks)
    }
  }

  /// Whether a block is one of them.
  package func contains(_ block: Int) -> Bool { areKept[block] }

  private mutating func note(from first: Int, _ blocks: BlockList) {
    var (calls, call, expected) = ([Int](), first, UInt32?.none)
    // The rest of a list may be known already.
    while !areKept[call] {
      let region = blocks.region(call)
      guard region.count == abi.dispatch.size,
        let number = region.uint32(at: region.start + abi.dispatch.priority),
        let next = region.word(at: region.start + abi.dispatch.next),
        number == expected ?? max(number, Self.fewest), number <= abi.dispatch.kept
      else { return }
      calls.append(call)
      if number == 1, next == 0 { break }
      (call, expected) = (blocks.index(of: next), number - 1)
      if call < 0 { return }
    }
    for call in calls { areKept[call] = true }
  }
}
