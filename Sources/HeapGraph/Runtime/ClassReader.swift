import CHeapRecorder
import RuntimeABI

/// Reads what class metadata says about instances: the name, the fields, the tail.
///
/// Assumes the metadata and descriptor layout of the Swift 5 ABI, as on platforms without
/// Objective-C. Field offsets come from the class itself, so a superclass's fields count too.
enum ClassReader {
  /// The layout of a class's instances; nil when `metadata` isn't class metadata after all.
  static func layout(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> TypeLayout? {
    guard isClass(metadata, blocks, &surroundings) else { return nil }
    var layout = TypeLayout(kind: .instance, name: TypeName.qualified(Memory.type(metadata)))
    layout.fixedSize = UInt(Memory.uint32(metadata + abi.classes.instanceSize))
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
    guard surroundings.canRead(metadata, count: abi.classes.metadataSize, blocks: blocks),
      Memory.word(metadata) == abi.kind.classObject,
      Memory.uint32(metadata + abi.classes.addressPoint) == 0,
      Memory.uint32(metadata + abi.classes.instanceSize) >= abi.object.header
    else { return false }
    return isDescriptor(Memory.word(metadata + abi.classes.descriptor), surroundings.segments)
  }

  // Memory that was freed can pass for metadata, which may be made at run time, and so be anywhere.
  // A descriptor is the compiler's: it lies in an image, and refers to a name there and to the
  // code that makes the metadata.
  private static func isDescriptor(_ address: UInt, _ segments: LoadedSegments) -> Bool {
    guard address & 3 == 0, segments.contains(address, count: abi.classes.descriptorSize),
      Memory.uint32(address) & (abi.classes.kindBits) == abi.classes.kind
    else { return false }
    return segments.isCode(Memory.relative(address + abi.classes.accessor))
      && isName(Memory.relative(address + abi.classes.name), segments)
  }

  private static func isName(_ address: UInt, _ segments: LoadedSegments) -> Bool {
    guard let segment = segments.segment(at: address) else { return false }
    let end = (address..<segment.end).first { Memory.byte($0) <= 0x20 }
    return end.map { $0 > address && Memory.byte($0) == 0 } ?? false
  }

  private static func fields(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> [TypeLayout.Field] {
    let superclass = Memory.word(metadata + abi.classes.superclass)
    var found: [TypeLayout.Field] = []
    if superclass != 0, isClass(superclass, blocks, &surroundings) {
      found = fields(superclass, blocks, &surroundings)
    }
    let descriptor = Memory.word(metadata + abi.classes.descriptor)
    let list = Memory.relative(descriptor + abi.classes.fields)
    let count = UInt(Memory.uint32(descriptor + abi.classes.fieldCount))
    guard list != 0, count > 0, !isResilient(descriptor),
      surroundings.segments.contains(list, count: abi.fields.first)
    else { return found + unknown(metadata, superclass, isEmpty: count == 0) }
    let offsets = metadata + UInt(Memory.uint32(descriptor + abi.classes.fieldOffsets)) * 8
    for index in 0..<count {
      let record = list + abi.fields.first + index * abi.fields.size
      let offset = Memory.word(offsets + index * 8)
      found.append(field(record, offset: offset, of: metadata))
    }
    return found
  }

  /// Where the members begin that a class's metadata adds to its superclass's. When the superclass
  /// is of a library that may change, only the running process knows.
  static func members(of metadata: UInt) -> UInt {
    let descriptor = Memory.word(metadata + abi.classes.descriptor)
    guard !isResilient(descriptor) else {
      return metadata &+ Memory.word(Memory.relative(descriptor + abi.classes.resilientBounds))
    }
    let words = Memory.uint32(descriptor + abi.classes.positiveWords)
    return metadata + UInt(words - Memory.uint32(descriptor + abi.classes.immediateMembers)) * 8
  }

  private static func isResilient(_ descriptor: UInt) -> Bool {
    Memory.uint32(descriptor) & (1 << abi.classes.resilientBit) != 0
  }

  private static func field(
    _ record: UInt, offset: UInt, of metadata: UInt
  ) -> TypeLayout.Field {
    let type = Memory.relative(record + abi.fields.type)
    let shape: ValueShape =
      type == 0 ? .throughout(.mixed) : MangledName(at: type).shape(inClass: metadata)
    let name = fieldName(Memory.text(Memory.relative(record + abi.fields.name)))
    return TypeLayout.Field(name: name, offset: offset, size: 0, shape: shape)
  }

  // One nameless field stands for what a class doesn't describe.
  private static func unknown(
    _ metadata: UInt, _ superclass: UInt, isEmpty: Bool
  ) -> [TypeLayout.Field] {
    let start =
      superclass == 0
      ? abi.object.header : UInt(Memory.uint32(superclass + abi.classes.instanceSize))
    if isEmpty || start >= UInt(Memory.uint32(metadata + abi.classes.instanceSize)) { return [] }
    return [TypeLayout.Field(name: "", offset: start, size: 0, shape: .throughout(.mixed))]
  }

  /// A lazy property's storage under the name that the source has for it.
  private static func fieldName(_ stored: String) -> String {
    let prefix = abi.fields.lazyPrefix
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
