import MemlabRuntimeABI

/// The reference counts of objects, read from their second words.
///
/// The word is the counts themselves or, when its top two bits are set, the address of a side table.
/// The side table has the same bits in another place.
package struct ReferenceCounts {
  private let blocks: BlockList
  private let object = abi.object
  private let sideTable = abi.sideTable

  /// The counts of recorded blocks.
  package init(blocks: BlockList) { self.blocks = blocks }

  /// The side table of an object; zero when it has none, and for a block that is too small.
  package func sideTable(of region: Region) -> UInt {
    region.word(at: region.start + object.counts).map { sideTable(in: $0) } ?? 0
  }

  /// The strong count of an object.
  ///
  /// - Returns: nil when the count says nothing: the object is immortal, or its side table is no
  ///   recorded block.
  @inline(__always)
  package func strong(of region: Region) -> Int? { bits(of: region).flatMap { strong(in: $0) } }

  /// How many `unowned` references an object has; zero where its side table is no recorded block.
  package func unowned(of region: Region) -> Int {
    guard let all = bits(of: region) else { return 0 }
    let bits = UInt32(truncatingIfNeeded: all)
    // All strong references together count as one; the lowest bit does not belong to the count.
    return bits == .max ? 0 : max(0, Int(bits >> object.unownedBit) - 1)
  }

  /// Whether the count is that of an object that lives.
  ///
  /// An object that was freed leaves its first word behind, and the next owner of its memory may not
  /// write there. Its counts tell: deinitializing set a bit, and the allocator clears the second
  /// word of what it hands out again, while the counts of a living object begin with the one
  /// unowned reference that all strong ones share.
  @inline(__always)
  package func isLive(_ region: Region) -> Bool {
    guard let word = region.word(at: region.start + object.counts) else { return false }
    let table = sideTable(in: word)
    if table != 0 { return bits(inTable: table).map { !hasEnded($0) } ?? false }
    let unowned = UInt32(truncatingIfNeeded: word)
    return !hasEnded(word) && (unowned > 1 && unowned < 1 << 24 || unowned == .max)
  }

  /// Whether counts are those of an object that is or was deinitialized.
  package func hasEnded(_ bits: UInt) -> Bool { bits >> object.deinitBit & 1 == 1 }

  @inline(__always)
  private func bits(of region: Region) -> UInt? {
    guard let word = region.word(at: region.start + object.counts) else { return nil }
    let table = sideTable(in: word)
    return table == 0 ? word : bits(inTable: table)
  }

  private func bits(inTable table: UInt) -> UInt? {
    blocks.region(of: table)?.word(at: table + sideTable.counts)
  }

  private func sideTable(in word: UInt) -> UInt {
    word >> object.sideTableBit == 3 ? word << object.sideTableShift : 0
  }

  @inline(__always)
  private func strong(in bits: UInt) -> Int? {
    let sideTableEnd = object.sideTableBit + 1
    let isImmortal = UInt32(truncatingIfNeeded: bits) == .max || bits >> sideTableEnd == 1
    let mask: UInt = 1 << (sideTableEnd - object.strongBit) - 1
    return isImmortal ? nil : Int(bits >> object.strongBit & mask) + 1
  }
}
