import MemlabHeapModel
import MemlabRuntimeABI

/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ProcessMemory {
  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  func tail(ofClass metadata: UInt) throws(Unreadable) -> BlockTail {
    switch try className(metadata) {
    case abi.array.name where RuntimeTrust.knows(.arrays):
      return .elements(try column(0, of: metadata))
    case abi.table.dictionary where RuntimeTrust.knows(.dictionaries):
      let (key, value) = (try column(0, of: metadata), try column(1, of: metadata))
      return .table(key: key, value: value, bitmap: abi.table.dictionaryBits)
    // Where the keys are, a set says as a dictionary does. It has no values.
    case abi.table.set where RuntimeTrust.knows(.sets) && RuntimeTrust.knows(.dictionaries):
      let absent = BlockTail.Column(stride: 0, isPlain: true)
      return .table(key: try column(0, of: metadata), value: absent, bitmap: abi.table.setBits)
    case abi.deque.name where RuntimeTrust.knows(.deques):
      return try ring(ofClass: metadata)
    case abi.string.name where RuntimeTrust.knows(.strings):
      return .text
    default:
      return .words
    }
  }

  // What an `AsyncStream` has buffered is in such a buffer, and so is a `Deque` of Swift
  // Collections 1.0 to 1.2. A class of somebody else's may have the name too.
  private func ring(ofClass metadata: UInt) throws(Unreadable) -> BlockTail {
    let size = UInt(try uint32(metadata &+ abi.classes.instanceSize))
    let superclass = try word(metadata &+ abi.classes.superclass)
    guard size == abi.deque.header, isClass(superclass),
      try className(superclass) == abi.deque.superclass
    else { return .words }
    let elements = try ValueWitnesses(metadata: argument(0, of: metadata), self)
    return .ring(try column(0, of: metadata), from: size.rounded(upTo: elements.alignment))
  }

  /// How long an element is of a `ManagedBuffer` whose elements hold no references that count; nil for the
  /// standard library's other classes, and zero for a `ManagedBuffer` with other elements and for any class
  /// that may use the allocator's room as one does.
  func plainStride(ofBuffer metadata: UInt) throws(Unreadable) -> UInt? {
    guard RuntimeTrust.knows(.deques), RuntimeTrust.knows(.arrays) else { return 0 }
    var metadata = metadata
    for _ in 0..<Self.deepestClass {
      if try className(metadata) == abi.deque.superclass {
        guard try canBeNamed(metadata) else { return 0 }
        let name = TypeName.qualified(unsafeBitCast(metadata, to: Any.Type.self))
        // A class of somebody else's may have the name too. The first argument is the header.
        guard name.hasPrefix("Swift." + abi.deque.superclass) else { return nil }
        let elements = try column(1, of: metadata)
        return elements.isPlain ? elements.stride : 0
      }
      metadata = try word(metadata &+ abi.classes.superclass)
      guard metadata != 0, isClass(metadata) else { return nil }
    }
    return 0
  }

  private func className(_ metadata: UInt) throws(Unreadable) -> String {
    try text(relative(classDescriptor(metadata) &+ abi.classes.name))
  }

  /// The shapes of the elements in a class's tail, or of the keys and the values.
  func elements(in tail: BlockTail, of metadata: UInt) throws(Unreadable) -> [ValueShape] {
    switch tail {
    case .none, .words, .text: return []
    case .elements, .ring: return [shape(of: try argument(0, of: metadata))]
    case .table(_, let value, _):
      let values = value.isPlain ? ValueShape() : shape(of: try argument(1, of: metadata))
      return [shape(of: try argument(0, of: metadata)), values]
    }
  }

  private func column(_ index: UInt, of metadata: UInt) throws(Unreadable) -> BlockTail.Column {
    let type = try argument(index, of: metadata)
    let witnesses = try ValueWitnesses(metadata: type, self)
    return .init(stride: witnesses.stride, isPlain: witnesses.isPlain && !isRaw(type))
  }

  private func argument(_ index: UInt, of metadata: UInt) throws(Unreadable) -> UInt {
    try word(members(ofClass: metadata) &+ index * 8)
  }
}
