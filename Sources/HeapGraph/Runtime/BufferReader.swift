/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Descriptor = RuntimeLayout.ClassDescriptor

  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  static func tail(of metadata: UInt) -> TypeLayout.Tail {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    switch Memory.text(Memory.relative(descriptor + Descriptor.name)) {
    case "_ContiguousArrayStorage":
      let stride = stride(ofArgument: 0, of: metadata)
      return stride == 0 ? .none : .elements(stride: stride)
    case "_DictionaryStorage":
      return .table(
        keyStride: stride(ofArgument: 0, of: metadata),
        valueStride: stride(ofArgument: 1, of: metadata), bitmap: 64)
    case "_SetStorage":
      return .table(keyStride: stride(ofArgument: 0, of: metadata), valueStride: 0, bitmap: 56)
    case "__StringStorage":
      return .none
    default:
      return .words
    }
  }

  // Zero when the argument's values are plain data, and there is nothing to look for.
  private static func stride(ofArgument index: UInt, of metadata: UInt) -> UInt {
    let descriptor = Memory.word(metadata + RuntimeLayout.ClassMetadata.descriptor)
    let words = Memory.half(descriptor + Descriptor.positiveWords)
    let own = Memory.half(descriptor + Descriptor.immediateMembers)
    let argument = Memory.word(metadata + (UInt(words - own) + index) * 8)
    let witnesses = ValueWitnesses(metadata: argument)
    return witnesses.isPlain ? 0 : witnesses.stride
  }
}
