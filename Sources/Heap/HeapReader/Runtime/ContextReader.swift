import MemlabHeapModel
import MemlabRuntimeABI

/// Reads what the metadata of a closure context or a box says about what was captured.
enum ContextReader {
  /// The layout of the contexts that begin with this metadata.
  ///
  /// Captures are told apart by the compiler's capture descriptor. From the first capture whose
  /// size can't be known (its type is generic), every word may be a reference.
  ///
  /// - Parameter metadata: in a loaded image.
  static func layout(_ metadata: UInt, _ memory: ProcessMemory) -> TypeLayout {
    var layout = TypeLayout(kind: .context, tail: .words)
    if (try? read(metadata, into: &layout, memory)) == true { layout.tail = .none }
    return layout
  }

  // Returns whether all captures are known.
  private static func read(
    _ metadata: UInt, into layout: inout TypeLayout, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    let descriptor = try memory.word(metadata &+ abi.context.descriptor)
    guard descriptor & 3 == 0 else { return false }
    let constants = try memory.image(at: descriptor, count: abi.context.first)
    guard let captures = constants.uint32(at: descriptor + abi.context.count),
      constants.uint32(at: descriptor + abi.context.sources) == 0,
      constants.uint32(at: descriptor + abi.context.bindings) == 0,
      constants.contains(
        descriptor, count: abi.context.first + UInt(captures) * abi.context.size)
    else { return false }
    layout.fixedSize = UInt(try memory.uint32(metadata &+ abi.context.start))
    for index in 0..<UInt(captures) {
      let record = descriptor + abi.context.first + index * abi.context.size
      guard let name = try MangledName(relativeTo: record, memory),
        try add(name, to: &layout, memory)
      else { return false }
    }
    return true
  }

  private static func add(
    _ name: MangledName, to layout: inout TypeLayout, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    guard let (size, alignment) = try measure(name, memory) else { return false }
    let offset = (layout.fixedSize + alignment - 1) / alignment * alignment
    layout.fields.append(
      TypeLayout.Field(name: "", offset: offset, size: size, shape: name.shape(memory)))
    layout.fixedSize = offset + size
    return true
  }

  private static func measure(
    _ name: MangledName, _ memory: ProcessMemory
  ) throws(Unreadable) -> (size: UInt, alignment: UInt)? {
    if [.weak, .unowned].contains(name.plainOwnership) { return (8, 8) }
    guard let type = name.type else { return nil }
    let witnesses = try ValueWitnesses(metadata: type, memory)
    // A type that cannot be copied comes back without a size: the next capture's place is unknown.
    guard witnesses.size > 0 else { return nil }
    return (witnesses.size, witnesses.alignment)
  }
}
