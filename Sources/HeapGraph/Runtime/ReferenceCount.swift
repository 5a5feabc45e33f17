import RuntimeABI

/// An object's strong reference count, read from its second word.
///
/// The word is the count itself or, when its top two bits are set, the address of a side table
/// divided by eight; the side table keeps the same bits at its byte 16.
enum ReferenceCount {
  /// The side table of an object; zero when it has none.
  static func sideTable(of object: UInt) -> UInt {
    let bits = Memory.word(object + abi.object.counts)
    return bits >> abi.object.sideTableBit == 3 ? bits << abi.object.sideTableShift : 0
  }

  /// The strong count of an object.
  ///
  /// - Returns: nil when the count says nothing: the object is immortal, or its side table isn't a
  ///   block that `isBlock` knows.
  static func strong(of object: UInt, isBlock: (UInt) -> Bool) -> Int? {
    let table = sideTable(of: object)
    if table != 0 {
      return isBlock(table) ? count(in: Memory.word(table + abi.sideTable.counts)) : nil
    }
    return count(in: Memory.word(object + abi.object.counts))
  }

  /// How many `unowned` references an object has; zero where its side table isn't a block that
  /// `isBlock` knows.
  static func unowned(of object: UInt, isBlock: (UInt) -> Bool) -> Int {
    let table = sideTable(of: object)
    guard table == 0 || isBlock(table) else { return 0 }
    let bits = UInt32(
      truncatingIfNeeded: Memory.word(
        table == 0 ? object + abi.object.counts : table + abi.sideTable.counts))
    // All strong references together count as one; the lowest bit is none of the count's.
    return bits == .max ? 0 : max(0, Int(bits >> abi.object.unownedBit) - 1)
  }

  /// Whether the count is that of an object that lives.
  ///
  /// An object that was freed leaves its first word behind, and whoever gets its memory next may not
  /// write there. Its count tells: deinitializing set bit 32, and the allocator clears the second
  /// word of what it hands out again, while the count of a living object begins with the one
  /// unowned reference that all strong ones share.
  static func isLive(_ object: UInt, isBlock: (UInt) -> Bool) -> Bool {
    let table = sideTable(of: object)
    if table != 0 {
      return isBlock(table)
        && Memory.word(table + abi.sideTable.counts) >> abi.object.deinitBit & 1 == 0
    }
    let bits = Memory.word(object + abi.object.counts)
    let unowned = UInt32(truncatingIfNeeded: bits)
    let isPlausible = unowned > 1 && unowned < 1 << 24 || unowned == .max
    return bits >> abi.object.deinitBit & 1 == 0 && isPlausible
  }

  private static func count(in bits: UInt) -> Int? {
    let isImmortal = UInt32(truncatingIfNeeded: bits) == .max || bits >> 63 == 1
    let mask: UInt = 1 << (abi.object.sideTableBit + 1 - abi.object.strongBit) - 1
    return isImmortal ? nil : Int(bits >> abi.object.strongBit & mask) + 1
  }
}
