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

extension EnumTag {
  /// - Parameter metadata: the address of an enumeration's metadata.
  /// - Throws: ``Unreadable`` where the table of the type has no function in this place.
  init(metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    let size = try ValueWitnesses(metadata: metadata, memory).size
    let table = try memory.word(metadata &- abi.metadata.witnesses)
    let function = try memory.word(table &+ abi.witness.enumTag)
    guard memory.segments.isCode(function) else { throw Unreadable() }
    self.init(proven: function, metadata: metadata, size: size)
  }
}

/// Reads what is in an `Any`, or in an existential of a protocol that any type can conform to: three
/// words for the value or for a box with it, and the value's type.
struct ExistentialContainers {
  private var shapes: [UInt: ValueShape] = [:]

  /// Where the container at an address has references.
  mutating func shape(at address: UInt, in region: Region, _ memory: ProcessMemory) -> ValueShape {
    guard let type = region.word(at: address + abi.container.type), type != 0 else {
      return ValueShape()
    }
    if let shape = shapes[type] { return shape }
    // The container may be only partly written.
    guard let witnesses = try? ValueWitnesses(metadata: type, memory) else {
      return .throughout(.mixed, size: abi.container.type)
    }
    var shape = ValueShape()
    if witnesses.isInline {
      shape.add(ValueShape(of: type, memory), at: 0, size: abi.container.type)
    } else {
      shape.add(.throughout(.strong), at: 0, size: 8)
    }
    shapes[type] = shape
    return shape
  }
}
