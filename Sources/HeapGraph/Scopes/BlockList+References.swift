internal import CHeapRecorder

extension BlockList {
  /// A stretch of memory up to the first block that begins in it.
  func beginning(of range: Range<UInt>) -> Range<UInt> {
    let first = (0..<count).end { address($0) < range.lowerBound }
    guard first < count, address(first) < range.upperBound else { return range }
    return range.lowerBound..<address(first)
  }

  /// Whether a word of a block is the address of something in another block, behind its beginning.
  func hasPointer(in source: Int, into target: Int) -> Bool {
    let start = address(source)
    let span = max(size(target), 16) - 16
    return withUnsafeTemporaryAllocation(of: UInt.self, capacity: 8) { found in
      var count = 0
      _ = words_within(
        start, start + size(source), Memory.pointerBits, address(target) + 8, span,
        found.baseAddress, found.count, &count)
      return count > 0
    }
  }

  /// Calls `body` with each block whose address stands in a stretch of readable memory, and with
  /// the place where it stands.
  func forEachReference(
    from start: UInt, to end: UInt, _ body: (_ block: Int, _ place: UInt) -> Void
  ) {
    var address = (start + 7) & ~7
    let (lowest, span) = bounds
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 512) { places in
      while address + 8 <= end {
        var count = 0
        address = words_within(
          address, end, Memory.pointerBits, lowest, span, places.baseAddress, places.count, &count)
        for place in places.prefix(count) {
          let block = index(of: Memory.untagged(Memory.word(place)))
          if block >= 0 { body(block, place) }
        }
      }
    }
  }
}

extension RuntimeLayout {
  /// Offsets into what weak references point at.
  enum SideTable {
    static let weakCount: UInt = 24
  }
}
