private let header = "include/swift/ABI/Metadata.h"
private let globalObjects = "stdlib/public/SwiftShims/swift/shims/GlobalObjects.h"
private let records = "include/swift/RemoteInspection/Records.h"

/// The value of an `Any`, or of an `any Protocol` that is not bound to classes.
package struct ContainerRows: Sendable {
  /// Where the address of the value's type is. The value, or the box with it, comes before.
  package let type: UInt = row(24, header, .existentials)

  /// The size without the conformances.
  package var size: UInt { type + 8 }
}

/// A closure's captures, and the metadata of such a block.
package struct ContextRows: Sendable {
  /// Where the metadata has the offset of the first capture: four bytes.
  package let start: UInt = row(8, header, .closures)
  /// Where it has the address of the capture descriptor.
  package let descriptor: UInt = row(16, header, .closures)
  /// Where the descriptor has the number of captures.
  package let count: UInt = row(0, records, .closures)
  /// Where it has the number of sources of generic arguments.
  package let sources: UInt = row(4, records, .closures)
  /// Where it has the number of generic arguments.
  package let bindings: UInt = row(8, records, .closures)
  /// Where its first record is: the mangled name of a capture's type, as a relative address.
  package let first: UInt = row(12, records, .closures)
  /// How long a record is.
  package let size: UInt = row(4, records, .closures)
}

/// The metadata of a box.
package struct BoxRows: Sendable {
  /// Where it has the value's offset in the box: four bytes.
  package let offset: UInt = row(8, header, .boxes)
  /// Where it has the address of the value's type.
  package let type: UInt = row(16, header, .boxes)
}

/// The block of a thrown error.
package struct ErrorRows: Sendable {
  /// Where it has the address of the error's type.
  package let type: UInt = row(16, "stdlib/public/runtime/ErrorObject.h", .errors)
}

private let arrayBuffer = "stdlib/public/core/ContiguousArrayBuffer.swift"

/// The storage of an array.
package struct ArrayRows: Sendable {
  /// The storage's class.
  package let name = row("_ContiguousArrayStorage", arrayBuffer, .arrays)
  /// Where the number of elements is.
  package let count: UInt = row(16, globalObjects, .arrays)
  /// Where the first element is.
  package let elements: UInt = row(32, arrayBuffer, .arrays)
}

/// The storage of a dictionary or a set.
package struct TableRows: Sendable {
  /// The class of a dictionary's storage.
  package let dictionary = row(
    "_DictionaryStorage", "stdlib/public/core/DictionaryStorage.swift", .dictionaries)
  /// The class of a set's storage.
  package let set = row("_SetStorage", "stdlib/public/core/SetStorage.swift", .sets)
  /// Where the binary logarithm of the number of buckets is: one byte.
  package let scale: UInt = row(32, globalObjects, .dictionaries)
  /// Where the hash's seed is: the address of the storage, or of one that this is a copy of.
  package let seed: UInt = row(40, globalObjects, .dictionaries, mutant: 56)
  /// Where the address of the first key is.
  package let keys: UInt = row(48, globalObjects, .dictionaries)
  /// Where the address of a dictionary's first value is.
  package let values: UInt = row(56, globalObjects, .dictionaries)
  /// Where a dictionary's bits of occupied buckets begin.
  package let dictionaryBits: UInt = row(64, globalObjects, .dictionaries)
  /// Where a set's bits of occupied buckets begin.
  package let setBits: UInt = row(56, globalObjects, .sets)
}

private let dequeHeader = "stdlib/public/Concurrency/Deque/_DequeBufferHeader.swift"

/// The storage of a queue: of an `AsyncStream`'s buffer, and of the `Deque` of Swift Collections
/// 1.0 to 1.2.
package struct DequeRows: Sendable {
  /// The storage's class.
  package let name = row(
    "_DequeBuffer", "stdlib/public/Concurrency/Deque/_DequeBuffer.swift", .deques)
  /// The class that it inherits from.
  package let superclass = row("ManagedBuffer", "stdlib/public/core/ManagedBuffer.swift", .deques)
  /// Where the number of slots is.
  package let slots: UInt = row(16, dequeHeader, .deques)
  /// Where it is how many of them hold elements.
  package let count: UInt = row(24, dequeHeader, .deques)
  /// Where it is which of them holds the first element.
  package let first: UInt = row(32, dequeHeader, .deques)
  /// Where the header ends. The slots begin at the next multiple of an element's alignment.
  package let header: UInt = row(40, dequeHeader, .deques)
}

/// The storage of a native string.
package struct StringRows: Sendable {
  /// The storage's class, which holds text only.
  package let name = row("__StringStorage", "stdlib/public/core/StringStorage.swift", .strings)
}

private let refCount = "stdlib/public/SwiftShims/swift/shims/RefCount.h"
private let heapObject = "stdlib/public/SwiftShims/swift/shims/HeapObject.h"

/// An object's header and its reference counts.
package struct ObjectRows: Sendable {
  /// Where an object's first property is, in bytes.
  package let header: UInt = row(16, heapObject, .closures)
  /// Where the word with the counts is.
  package let counts: UInt = row(8, heapObject, .referenceCounts)
  /// The lower of the two highest bits of the counts. Both are set when the other bits are the
  /// address of a side table.
  package let sideTableBit: UInt = row(62, refCount, .sideTables)
  /// How far the address of a side table is shifted to the right.
  package let sideTableShift: UInt = row(3, refCount, .sideTables)
  /// The lowest bit of the strong count, which is one less than the number of references. It ends
  /// below `sideTableBit` + 1.
  package let strongBit: UInt = row(33, refCount, .referenceCounts)
  /// Set while the object is deinitialized, and after it.
  package let deinitBit: UInt = row(32, refCount, .referenceCounts)
  /// The lowest bit of the unowned count, which is one more than the number of references. It ends
  /// below bit 32. All bits below 32 are set in the counts of an object that lives forever.
  package let unownedBit: UInt = row(1, refCount, .referenceCounts)
}

/// The side table of an object that has weak references.
package struct SideTableRows: Sendable {
  /// Where the address of the object is.
  package let object: UInt = row(0, refCount, .sideTables)
  /// Where the object's counts are, with the same bits as in an object.
  package let counts: UInt = row(16, refCount, .sideTables)
  /// Where the weak count is: four bytes, one more than the number of references.
  package let weakCount: UInt = row(24, refCount, .sideTables)
  /// Its size in bytes.
  package let size: UInt = row(32, refCount, .sideTables)
}

/// The word that refers to an object.
package struct ReferenceRows: Sendable {
  /// The bits that are an address. An enumeration's case and `BridgeObject` may use the others.
  package let addressBits: UInt = row(
    0x00ff_ffff_ffff_fff8, "stdlib/public/SwiftShims/swift/shims/System.h", .enumerations,
    mutant: ~7)
  /// Objects begin at a multiple of this many bytes.
  package let alignment: UInt = row(16, heapObject, .classes)
}
