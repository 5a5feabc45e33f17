import RuntimeABI

/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Column = TypeLayout.Column

  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  static func tail(of metadata: UInt) -> TypeLayout.Tail {
    switch className(metadata) {
    case abi.array.name where RuntimeTrust.knows(.arrays):
      return .elements(column(0, of: metadata))
    case abi.table.dictionary where RuntimeTrust.knows(.dictionaries):
      return .table(
        key: column(0, of: metadata), value: column(1, of: metadata),
        bitmap: abi.table.dictionaryBits)
    // Where the keys are, a set says as a dictionary does.
    case abi.table.set where RuntimeTrust.knows(.sets) && RuntimeTrust.knows(.dictionaries):
      return .table(key: column(0, of: metadata), value: .absent, bitmap: abi.table.setBits)
    case abi.deque.name where RuntimeTrust.knows(.deques):
      return ring(of: metadata)
    case abi.string.name where RuntimeTrust.knows(.strings):
      return .none
    default:
      return .words
    }
  }

  // What an `AsyncStream` has buffered is in such a buffer, and so is a `Deque` of Swift
  // Collections 1.0 to 1.2. A class of somebody else's may have the name too.
  private static func ring(of metadata: UInt) -> TypeLayout.Tail {
    let size = UInt(Memory.uint32(metadata + abi.classes.instanceSize))
    let superclass = Memory.word(metadata + abi.classes.superclass)
    guard size == abi.deque.header, superclass != 0, className(superclass) == abi.deque.superclass
    else { return .words }
    let alignment = ValueWitnesses(metadata: argument(0, of: metadata)).alignment
    return .ring(column(0, of: metadata), from: (size + alignment - 1) / alignment * alignment)
  }

  private static func className(_ metadata: UInt) -> String {
    let descriptor = Memory.word(metadata + abi.classes.descriptor)
    return Memory.text(Memory.relative(descriptor + abi.classes.name))
  }

  /// The shapes of the elements in a class's tail, or of the keys and the values.
  static func elements(in tail: TypeLayout.Tail, of metadata: UInt) -> [ValueShape] {
    switch tail {
    case .none, .words: []
    case .elements, .ring: [shape(0, of: metadata)]
    case .table(_, let value, _):
      [shape(0, of: metadata), value.isPlain ? ValueShape() : shape(1, of: metadata)]
    }
  }

  private static func shape(_ index: UInt, of metadata: UInt) -> ValueShape {
    ValueShape(of: argument(index, of: metadata))
  }

  private static func column(_ index: UInt, of metadata: UInt) -> Column {
    let witnesses = ValueWitnesses(metadata: argument(index, of: metadata))
    return Column(stride: witnesses.stride, isPlain: witnesses.isPlain)
  }

  private static func argument(_ index: UInt, of metadata: UInt) -> UInt {
    Memory.word(members(of: metadata) + index * 8)
  }
}

extension TypeLayout.Column {
  /// The values of a set.
  fileprivate static let absent = Self(stride: 0, isPlain: true)
}
