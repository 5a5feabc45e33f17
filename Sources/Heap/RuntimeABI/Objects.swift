private let refCount = "stdlib/public/SwiftShims/swift/shims/RefCount.h"
private let heapObject = "stdlib/public/SwiftShims/swift/shims/HeapObject.h"

/// An object's header and its reference counts.
package struct ObjectRows: Sendable {
  /// Where an object's first property is, in bytes.
  package let header: UInt = row("object.header", 16, heapObject, .closures)
  /// Where the word with the counts is.
  package let counts: UInt = row("object.counts", 8, heapObject, .referenceCounts)
  /// The lower of the two highest bits of the counts. Both are set when the other bits are the
  /// address of a side table.
  package let sideTableBit: UInt = row("object.sideTableBit", 62, refCount, .sideTables)
  /// How far the address of a side table is shifted to the right.
  package let sideTableShift: UInt = row("object.sideTableShift", 3, refCount, .sideTables)
  /// The lowest bit of the strong count, which is one less than the number of references. It ends
  /// below `sideTableBit` + 1.
  package let strongBit: UInt = row("object.strongBit", 33, refCount, .referenceCounts)
  /// Set while the object is deinitialized, and after it.
  package let deinitBit: UInt = row("object.deinitBit", 32, refCount, .referenceCounts)
  /// The lowest bit of the unowned count, which is one more than the number of references. It ends
  /// below bit 32. All bits below 32 are set in the counts of an object that lives forever.
  package let unownedBit: UInt = row("object.unownedBit", 1, refCount, .referenceCounts)
}

/// The side table of an object that has weak references.
package struct SideTableRows: Sendable {
  /// Where the address of the object is.
  package let object: UInt = row("sideTable.object", 0, refCount, .sideTables)
  /// Where the object's counts are, with the same bits as in an object.
  package let counts: UInt = row("sideTable.counts", 16, refCount, .sideTables)
  /// Where the weak count is: four bytes, one more than the number of references.
  package let weakCount: UInt = row("sideTable.weakCount", 24, refCount, .sideTables)
  /// Its size in bytes.
  package let size: UInt = row("sideTable.size", 32, refCount, .sideTables)
}

/// The word that refers to an object.
package struct ReferenceRows: Sendable {
  /// The bits that are an address. An enumeration's case and `BridgeObject` may use the others.
  package let addressBits: UInt = row(
    "reference.addressBits", 0x00ff_ffff_ffff_fff8,
    "stdlib/public/SwiftShims/swift/shims/System.h", .enumerations, mutant: ~7)
  /// Objects begin at a multiple of this many bytes.
  package let alignment: UInt = row("reference.alignment", 16, heapObject, .classes)
}
