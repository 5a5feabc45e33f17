import MemlabHeapModel
import MemlabRuntimeABI

/// What the runtime knows of a type's values.
///
/// The metadata of a C library's class has no table before somebody uses it: its values are
/// references.
struct ValueWitnesses {
  /// A value's size in bytes.
  let size: UInt
  /// The distance between two values in an array, in bytes.
  let stride: UInt
  private let flags: UInt32

  /// Reads the table of a type.
  ///
  /// - Parameter metadata: the address of a type's metadata. The word before it is the address of
  ///   the table.
  /// - Throws: ``Unreadable`` where there is no metadata of a type.
  init(metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    guard memory.isType(metadata) else { throw Unreadable() }
    let table = try memory.word(metadata &- abi.metadata.witnesses)
    guard table != 0 else {
      (size, stride, flags) = (8, 8, 1 << abi.witness.notPlainBit | 7)
      return
    }
    size = try memory.word(table &+ abi.witness.size)
    stride = try memory.word(table &+ abi.witness.stride)
    flags = try memory.uint32(table &+ abi.witness.flags)
    guard size <= Self.largest, stride <= Self.largest else { throw Unreadable() }
  }

  // Larger than any type's values.
  private static let largest: UInt = 1 << 32

  /// A value's alignment in bytes.
  var alignment: UInt { UInt(flags & abi.witness.alignmentBits) + 1 }

  /// Whether values can be copied byte by byte: they hold no references that count.
  var isPlain: Bool { flags >> abi.witness.notPlainBit & 1 == 0 }

  /// Whether an existential container keeps them in itself, and not in a box.
  var isInline: Bool { flags >> abi.witness.notInlineBit & 1 == 0 }
}

/// Asks the runtime which case of an enumeration a value is: it alone knows into which spare bits
/// the compiler has put that.
struct EnumTag: Sendable, Equatable {
  private typealias Function = @convention(c) (UInt, UInt) -> UInt32
  private let function: UInt
  private let metadata: UInt
  private let size: UInt

  /// - Parameter metadata: the address of an enumeration's metadata.
  /// - Throws: ``Unreadable`` where the table of the type has no function in this place.
  init(metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    size = try ValueWitnesses(metadata: metadata, memory).size
    let table = try memory.word(metadata &- abi.metadata.witnesses)
    function = try memory.word(table &+ abi.witness.enumTag)
    self.metadata = metadata
    guard memory.segments.isCode(function) else { throw Unreadable() }
  }

  /// The number of a value's case; those with payloads come first. Reads the value's bytes, and
  /// follows nothing that is in them: of a value that is only partly written, any number. Nil where the
  /// value does not end in the stretch that it begins in.
  func number(at address: UInt, in region: Region) -> Int? {
    guard region.contains(address, count: size) else { return nil }
    return Int(unsafeBitCast(function, to: Function.self)(address, metadata))
  }
}
