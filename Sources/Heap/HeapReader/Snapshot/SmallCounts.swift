import MemlabHeapModel

/// A count for each block, most of them small: one byte for each, and a place aside for the few that
/// need more.
struct SmallCounts: Sendable {
  private var bytes: ContiguousArray<UInt8>
  private var large: [Int: Int32] = [:]
  private static let isLarge = UInt8.max

  /// Zero for every block.
  init(blocks: Int) { bytes = ContiguousArray(inLargePages: 0, count: blocks) }

  /// The count of a block, zero or more.
  subscript(block: Int) -> Int32 {
    get {
      let byte = bytes[block]
      return byte == Self.isLarge ? large[block, default: 0] : Int32(byte)
    }
    set {
      guard newValue >= Self.isLarge else {
        bytes[block] = UInt8(newValue)
        return
      }
      bytes[block] = Self.isLarge
      large[block] = newValue
    }
  }
}
