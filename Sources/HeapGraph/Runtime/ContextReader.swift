import RuntimeABI

/// Reads what the metadata of a closure context or a box says about what was captured.
enum ContextReader {
  /// The layout of the contexts that begin with this metadata.
  ///
  /// Captures are told apart by the compiler's capture descriptor. From the first capture whose
  /// size can't be known (its type is generic), every word may be a reference.
  static func layout(_ metadata: UInt, _ surroundings: Surroundings) -> TypeLayout {
    var layout = TypeLayout(kind: .context, tail: .words)
    let descriptor = Memory.word(metadata + abi.context.descriptor)
    guard descriptor & 3 == 0, surroundings.segments.contains(descriptor, count: abi.context.first)
    else {
      return layout
    }
    let captures = UInt(Memory.uint32(descriptor + abi.context.count))
    let hasGenerics =
      Memory.uint32(descriptor + abi.context.sources) != 0
      || Memory.uint32(descriptor + abi.context.bindings) != 0
    let end = descriptor + abi.context.first + captures * abi.context.size
    guard !hasGenerics, surroundings.segments.contains(descriptor, count: end - descriptor)
    else { return layout }
    layout.fixedSize = UInt(Memory.uint32(metadata + abi.context.start))
    for index in 0..<captures {
      let place = Memory.relative(descriptor + abi.context.first + index * abi.context.size)
      guard place != 0, add(MangledName(at: place), to: &layout) else { return layout }
    }
    layout.tail = .none
    return layout
  }

  private static func add(_ name: MangledName, to layout: inout TypeLayout) -> Bool {
    guard let (size, alignment) = measure(name) else { return false }
    let offset = (layout.fixedSize + alignment - 1) / alignment * alignment
    layout.fields.append(
      TypeLayout.Field(name: "", offset: offset, size: size, shape: name.shape(inClass: nil)))
    layout.fixedSize = offset + size
    return true
  }

  private static func measure(_ name: MangledName) -> (size: UInt, alignment: UInt)? {
    if [.weak, .unowned].contains(name.plainOwnership) { return (8, 8) }
    guard let type = name.type else { return nil }
    let witnesses = ValueWitnesses(of: type)
    // What cannot be copied comes back without a size, and where the next capture is, nobody knows.
    guard witnesses.size > 0 else { return nil }
    return (witnesses.size, witnesses.alignment)
  }
}
