/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Descriptor = RuntimeLayout.ClassDescriptor
  private typealias Column = TypeLayout.Column

  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  static func tail(of metadata: UInt) -> TypeLayout.Tail {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    switch Memory.text(Memory.relative(descriptor + Descriptor.name)) {
    case "_ContiguousArrayStorage":
      return .elements(column(ofArgument: 0, of: metadata))
    case "_DictionaryStorage":
      return .table(
        key: column(ofArgument: 0, of: metadata), value: column(ofArgument: 1, of: metadata),
        bitmap: 64)
    case "_SetStorage":
      return .table(
        key: column(ofArgument: 0, of: metadata), value: Column(stride: 0, isPlain: true),
        bitmap: 56)
    case "__StringStorage":
      return .none
    default:
      return .words
    }
  }

  private static func column(ofArgument index: UInt, of metadata: UInt) -> Column {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    let words = Memory.half(descriptor + Descriptor.positiveWords)
    let own = Memory.half(descriptor + Descriptor.immediateMembers)
    let argument = Memory.word(metadata + (UInt(words - own) + index) * 8)
    let witnesses = ValueWitnesses(metadata: argument)
    return Column(stride: witnesses.stride, isPlain: witnesses.isPlain)
  }
}
