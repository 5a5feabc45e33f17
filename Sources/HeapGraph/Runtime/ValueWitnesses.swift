import RuntimeABI

/// What the runtime knows of a type's values.
///
/// The metadata of a C library's class has no table before somebody uses it: its values are
/// references.
struct ValueWitnesses {
  private let table: UInt

  /// - Parameter metadata: the address of a type's metadata, validated by the caller. The word
  ///   before it is the address of the table.
  init(metadata: UInt) { table = Memory.word(metadata - abi.metadata.witnesses) }

  /// The table of a type.
  init(of type: Any.Type) { self.init(metadata: unsafeBitCast(type, to: UInt.self)) }

  /// A value's size in bytes.
  var size: UInt { table == 0 ? 8 : Memory.word(table + abi.witness.size) }
  /// The distance between two values in an array, in bytes.
  var stride: UInt { table == 0 ? 8 : Memory.word(table + abi.witness.stride) }
  /// A value's alignment in bytes.
  var alignment: UInt { UInt(flags & abi.witness.alignmentBits) + 1 }

  /// Whether values can be copied byte by byte: they hold no references that count.
  var isPlain: Bool { flags & (1 << abi.witness.notPlainBit) == 0 }

  /// The function that tells which case of an enumeration a value is.
  var enumTag: UInt { Memory.word(table + abi.witness.enumTag) }

  /// Whether an existential container keeps them in itself, and not in a box.
  var isInline: Bool { flags & (1 << abi.witness.notInlineBit) == 0 }

  private var flags: UInt32 {
    table == 0 ? (1 << abi.witness.notPlainBit) | 7 : Memory.uint32(table + abi.witness.flags)
  }
}
