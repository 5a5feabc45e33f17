import MemlabHeapModel
import MemlabRuntimeABI

/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Column = TypeLayout.Column

  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  static func tail(
    of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout.Tail {
    switch try className(metadata, memory) {
    case abi.array.name where RuntimeTrust.knows(.arrays):
      return .elements(try column(0, of: metadata, memory))
    case abi.table.dictionary where RuntimeTrust.knows(.dictionaries):
      return .table(
        key: try column(0, of: metadata, memory), value: try column(1, of: metadata, memory),
        bitmap: abi.table.dictionaryBits)
    // Where the keys are, a set says as a dictionary does.
    case abi.table.set where RuntimeTrust.knows(.sets) && RuntimeTrust.knows(.dictionaries):
      return .table(
        key: try column(0, of: metadata, memory), value: .absent, bitmap: abi.table.setBits)
    case abi.deque.name where RuntimeTrust.knows(.deques):
      return try ring(of: metadata, memory)
    case abi.string.name where RuntimeTrust.knows(.strings):
      return .none
    default:
      return .words
    }
  }

  // What an `AsyncStream` has buffered is in such a buffer, and so is a `Deque` of Swift
  // Collections 1.0 to 1.2. A class of somebody else's may have the name too.
  private static func ring(
    of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout.Tail {
    let size = UInt(try memory.uint32(metadata &+ abi.classes.instanceSize))
    let superclass = try memory.word(metadata &+ abi.classes.superclass)
    guard size == abi.deque.header, isClass(superclass, memory),
      try className(superclass, memory) == abi.deque.superclass
    else { return .words }
    let type = try argument(0, of: metadata, memory)
    let alignment = try ValueWitnesses(metadata: type, memory).alignment
    return .ring(
      try column(0, of: metadata, memory), from: (size + alignment - 1) / alignment * alignment)
  }

  /// Whether a class is a `ManagedBuffer` whose elements hold no references that count.
  static func isBufferOfPlain(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    guard RuntimeTrust.knows(.deques) else { return false }
    var metadata = metadata
    for _ in 0..<deepest {
      if try className(metadata, memory) == abi.deque.superclass {
        guard try canBeNamed(metadata, memory) else { return false }
        let name = TypeName.qualified(unsafeBitCast(metadata, to: Any.Type.self))
        // A class of somebody else's may have the name too. The first argument is the header.
        return name.hasPrefix("Swift." + abi.deque.superclass)
          ? try column(1, of: metadata, memory).isPlain : false
      }
      metadata = try memory.word(metadata &+ abi.classes.superclass)
      guard metadata != 0, isClass(metadata, memory) else { return false }
    }
    return false
  }

  private static func className(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> String {
    let descriptor = try memory.word(metadata &+ abi.classes.descriptor)
    return try memory.text(memory.relative(descriptor &+ abi.classes.name))
  }

  /// The shapes of the elements in a class's tail, or of the keys and the values.
  static func elements(
    in tail: TypeLayout.Tail, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> [ValueShape] {
    switch tail {
    case .none, .words: return []
    case .elements, .ring: return [try shape(0, of: metadata, memory)]
    case .table(_, let value, _):
      let values = value.isPlain ? ValueShape() : try shape(1, of: metadata, memory)
      return [try shape(0, of: metadata, memory), values]
    }
  }

  private static func shape(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> ValueShape {
    ValueShape(of: try argument(index, of: metadata, memory), memory)
  }

  private static func column(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Column {
    let witnesses = try ValueWitnesses(metadata: try argument(index, of: metadata, memory), memory)
    return Column(stride: witnesses.stride, isPlain: witnesses.isPlain)
  }

  private static func argument(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> UInt { try memory.word(try members(of: metadata, memory) &+ index * 8) }
}

extension TypeLayout.Column {
  /// The values of a set.
  fileprivate static let absent = Self(stride: 0, isPlain: true)
}
