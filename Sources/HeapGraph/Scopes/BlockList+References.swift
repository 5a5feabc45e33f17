import CProcessAccess
import RuntimeABI

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
    let inside = (lowest: address(target) + 8, span: max(size(target), 16) - 16)
    return Memory.containsWord(from: start, to: start + size(source), within: inside) { _ in true }
  }

  /// Calls `body` with each block whose address stands in a stretch of readable memory, and with
  /// the place where it stands.
  func forEachReference(
    from start: UInt, to end: UInt, _ body: (_ block: Int, _ place: UInt) -> Void
  ) {
    _ = Memory.containsWord(from: start, to: end, within: bounds) { place in
      let block = index(of: Memory.untagged(Memory.word(place)))
      if block >= 0 { body(block, place) }
      return false
    }
  }
}

extension Memory {
  /// Whether a stretch of readable memory has a word of some kind.
  ///
  /// - Parameters:
  ///   - bounds: the lowest address that may be meant, and how far from it the highest is.
  ///   - isMeant: asked for the place of each word that may be an address between these, until one is.
  static func containsWord(
    from start: UInt, to end: UInt, within bounds: (lowest: UInt, span: UInt),
    where isMeant: (_ place: UInt) -> Bool
  ) -> Bool {
    var address = (start + 7) & ~7
    return withUnsafeTemporaryAllocation(of: UInt.self, capacity: 512) { places in
      while address + 8 <= end {
        var count = 0
        address = words_within(
          address, end, abi.reference.addressBits, bounds.lowest, bounds.span, places.baseAddress,
          places.count,
          &count)
        if places.prefix(count).contains(where: isMeant) { return true }
      }
      return false
    }
  }
}
