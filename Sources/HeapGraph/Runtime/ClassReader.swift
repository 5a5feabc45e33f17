internal import CHeapRecorder

/// Reads what class metadata says about instances: the name, the fields, the tail.
///
/// Assumes the metadata and descriptor layout of the Swift 5 ABI, as on platforms without
/// Objective-C. Field offsets come from the class itself, so a superclass's fields count too.
enum ClassReader {
  private typealias Class = RuntimeLayout.ClassMetadata
  private typealias Descriptor = RuntimeLayout.ClassDescriptor

  /// The layout of a class's instances; nil when `metadata` isn't class metadata after all.
  static func layout(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> TypeLayout? {
    guard isClass(metadata, blocks, &surroundings) else { return nil }
    var layout = TypeLayout(kind: .instance, name: TypeName.qualified(Memory.type(metadata)))
    layout.fixedSize = UInt(Memory.half(metadata + Class.instanceSize))
    layout.fields = fields(metadata, blocks, &surroundings)
    layout.tail = tail(of: metadata)
    layout.elements = elements(in: layout.tail, of: metadata)
    if layout.tail != .words { layout.kind = .buffer }
    setSizes(of: &layout)
    return layout
  }

  private static func isClass(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> Bool {
    guard surroundings.canRead(metadata, count: Class.size, blocks: blocks),
      Memory.word(metadata) == RuntimeLayout.Kind.classObject,
      Memory.half(metadata + Class.addressPoint) == 0,
      Memory.half(metadata + Class.instanceSize) >= 16
    else { return false }
    return isDescriptor(Memory.word(metadata + Class.descriptor), surroundings.segments)
  }

  // Memory that was freed can pass for metadata, which may be made at run time, and so be anywhere.
  // A descriptor is the compiler's: it lies in an image, and refers to a name there and to the
  // code that makes the metadata.
  private static func isDescriptor(_ address: UInt, _ segments: LoadedSegments) -> Bool {
    guard address & 3 == 0, segments.contains(address, count: Descriptor.size),
      Memory.half(address) & (Descriptor.kindMask | Descriptor.version) == Descriptor.classKind
    else { return false }
    return segments.isCode(Memory.relative(address + Descriptor.accessor))
      && isName(Memory.relative(address + Descriptor.name), segments)
  }

  private static func isName(_ address: UInt, _ segments: LoadedSegments) -> Bool {
    guard let segment = segments.segment(at: address) else { return false }
    let end = (address..<segment.end).first { Memory.byte($0) <= 0x20 }
    return end.map { $0 > address && Memory.byte($0) == 0 } ?? false
  }

  private static func fields(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> [TypeLayout.Field] {
    let superclass = Memory.word(metadata + Class.superclass)
    var found: [TypeLayout.Field] = []
    if superclass != 0, isClass(superclass, blocks, &surroundings) {
      found = fields(superclass, blocks, &surroundings)
    }
    let descriptor = Memory.word(metadata + Class.descriptor)
    let list = Memory.relative(descriptor + Descriptor.fields)
    let count = UInt(Memory.half(descriptor + Descriptor.fieldCount))
    guard list != 0, count > 0, !isResilient(descriptor),
      surroundings.segments.contains(list, count: 16)
    else { return found + unknown(metadata, superclass, isEmpty: count == 0) }
    let offsets = metadata + UInt(Memory.half(descriptor + Descriptor.fieldOffsets)) * 8
    for index in 0..<count {
      let record = list + 16 + index * 12
      let offset = Memory.word(offsets + index * 8)
      found.append(field(record, offset: offset, of: metadata))
    }
    return found
  }

  /// Where the members begin that a class's metadata adds to its superclass's. When the superclass
  /// is of a library that may change, only the running process knows.
  static func members(of metadata: UInt) -> UInt {
    let descriptor = Memory.word(metadata + Class.descriptor)
    guard !isResilient(descriptor) else {
      return metadata &+ Memory.word(Memory.relative(descriptor + Descriptor.resilientBounds))
    }
    let words = Memory.half(descriptor + Descriptor.positiveWords)
    return metadata + UInt(words - Memory.half(descriptor + Descriptor.immediateMembers)) * 8
  }

  private static func isResilient(_ descriptor: UInt) -> Bool {
    Memory.half(descriptor) & Descriptor.hasResilientSuperclass != 0
  }

  private static func field(
    _ record: UInt, offset: UInt, of metadata: UInt
  ) -> TypeLayout.Field {
    let type = Memory.relative(record + 4)
    let shape: ValueShape =
      type == 0 ? .throughout(.mixed) : MangledName(at: type).shape(inClass: metadata)
    let name = fieldName(Memory.text(Memory.relative(record + 8)))
    return TypeLayout.Field(name: name, offset: offset, size: 0, shape: shape)
  }

  // One nameless field stands for what a class doesn't describe.
  private static func unknown(
    _ metadata: UInt, _ superclass: UInt, isEmpty: Bool
  ) -> [TypeLayout.Field] {
    let start = superclass == 0 ? 16 : UInt(Memory.half(superclass + Class.instanceSize))
    if isEmpty || start >= UInt(Memory.half(metadata + Class.instanceSize)) { return [] }
    return [TypeLayout.Field(name: "", offset: start, size: 0, shape: .throughout(.mixed))]
  }

  /// A lazy property's storage under the name that the source has for it.
  private static func fieldName(_ stored: String) -> String {
    let prefix = "$__lazy_storage_$_"
    return stored.hasPrefix(prefix) ? String(stored.dropFirst(prefix.count)) : stored
  }

  private static func setSizes(of layout: inout TypeLayout) {
    layout.fields.sort { $0.offset < $1.offset }
    for index in layout.fields.indices {
      let isLast = index + 1 == layout.fields.count
      let end = isLast ? layout.fixedSize : layout.fields[index + 1].offset
      layout.fields[index].size =
        end > layout.fields[index].offset
        ? end - layout.fields[index].offset : 0
    }
  }
}
