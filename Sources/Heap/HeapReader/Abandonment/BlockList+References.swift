import MemlabHeapModel
import MemlabRuntimeABI

extension BlockList {
  /// A stretch of memory up to the first block that begins in it.
  func beginning(of range: Range<UInt>) -> Range<UInt> {
    let first = (0..<count).end { address($0) < range.lowerBound }
    guard first < count, address(first) < range.upperBound else { return range }
    return range.lowerBound..<address(first)
  }

  /// Calls `body` with each block whose address stands in a stretch of memory, and with the place
  /// where it stands.
  func forEachReference(in region: Region, _ body: (_ block: Int, _ place: UInt) -> Void) {
    _ = region.containsWord(within: bounds) { place, address in
      let block = index(of: address)
      if block >= 0 { body(block, place) }
      return false
    }
  }
}
