/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Descriptor = RuntimeLayout.ClassDescriptor
  private typealias Column = TypeLayout.Column

  /// The tail of a class's instances, and whether some of its references may keep nothing alive. Of
  /// a class of the user's it may be anything, as in a `ManagedBuffer`.
  static func tail(of metadata: UInt) -> (tail: TypeLayout.Tail, isMixed: Bool) {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    switch Memory.text(Memory.relative(descriptor + Descriptor.name)) {
    case "_ContiguousArrayStorage":
      return (.elements(column(0, of: metadata)), mixes(0, of: metadata))
    case "_DictionaryStorage":
      let table = TypeLayout.Tail.table(
        key: column(0, of: metadata), value: column(1, of: metadata), bitmap: 64)
      return (table, mixes(0, of: metadata) || mixes(1, of: metadata))
    case "_SetStorage":
      let table = TypeLayout.Tail.table(
        key: column(0, of: metadata), value: Column(stride: 0, isPlain: true), bitmap: 56)
      return (table, mixes(0, of: metadata))
    case "__StringStorage":
      return (.none, false)
    default:
      return (.words, false)
    }
  }

  // Whether some references in an argument's values may keep nothing alive.
  private static func mixes(_ index: UInt, of metadata: UInt) -> Bool {
    Borrowing.isPossible(in: argument(index, of: metadata))
  }

  private static func column(_ index: UInt, of metadata: UInt) -> Column {
    let witnesses = ValueWitnesses(metadata: argument(index, of: metadata))
    return Column(stride: witnesses.stride, isPlain: witnesses.isPlain)
  }

  private static func argument(_ index: UInt, of metadata: UInt) -> UInt {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    let words = Memory.half(descriptor + Descriptor.positiveWords)
    let own = Memory.half(descriptor + Descriptor.immediateMembers)
    return Memory.word(metadata + (UInt(words - own) + index) * 8)
  }
}
