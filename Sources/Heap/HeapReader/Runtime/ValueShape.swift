import MemlabHeapModel
import MemlabRuntimeABI

/// Where in the values of a type references are, and what each does for what it refers to.
///
/// A value's words alone do not tell: an `ObjectIdentifier`, an `unowned` property and what pads a
/// smaller case of an enumeration look like references.
struct ValueShape: Sendable, Equatable {
  /// The stretches of a value that mean the same in every value.
  private(set) var parts: [Part] = []
  /// The parts of a value that only the value itself tells what they are.
  private(set) var choices: [Choice] = []

  /// A stretch of a value.
  struct Part: Sendable, Equatable {
    /// Where it begins, in bytes.
    var offset: UInt
    /// In bytes.
    var size: UInt
    /// What the references in it do.
    var ownership: ReferenceOwnership
  }

  /// A part of a value that is one of several things.
  struct Choice: Sendable, Equatable {
    /// Where it begins, in bytes.
    var offset: UInt
    /// What tells the things apart.
    let kind: Kind

    /// What a value may be one of.
    enum Kind: Sendable, Equatable {
      /// An enumeration, and what is in the payload of each case that has one.
      case payload(EnumTag, [ValueShape])
      /// An `Any`, or an existential of a protocol that any type can conform to.
      case anything
    }
  }

  /// Longer than any value.
  private static let endless: UInt = 1 << 40

  /// A value of unknown size that is the same throughout.
  static func throughout(_ ownership: ReferenceOwnership, size: UInt = endless) -> ValueShape {
    var shape = ValueShape()
    if ownership.mayKeepAlive { shape.parts = [Part(offset: 0, size: size, ownership: ownership)] }
    return shape
  }

  /// A value without references.
  init() {}

  /// A value that is one of several things.
  init(choice kind: Choice.Kind) { choices = [Choice(offset: 0, kind: kind)] }

  /// Whether there are no references in it.
  var isEmpty: Bool { parts.isEmpty && choices.isEmpty }

  /// Adds another value at an offset. What it is longer than a size is left out.
  mutating func add(_ other: ValueShape, at offset: UInt, size: UInt = endless) {
    for part in other.parts where part.offset < size {
      let end = min(part.offset + part.size, size)
      parts.append(
        Part(offset: offset + part.offset, size: end - part.offset, ownership: part.ownership))
    }
    for var choice in other.choices where choice.offset < size {
      choice.offset += offset
      choices.append(choice)
    }
  }
}

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
