import MemlabHeapModel
import MemlabRuntimeABI

/// Reads what class metadata says about instances: the name, the fields, the tail.
///
/// Assumes the metadata and descriptor layout of the Swift 5 ABI, as on platforms without
/// Objective-C. Field offsets come from the class itself, so a superclass's fields count too.
enum ClassReader {
  /// The layout of a class's instances.
  ///
  /// - Throws: ``Unreadable`` when `metadata` isn't class metadata after all.
  static func layout(_ metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) -> TypeLayout {
    guard isClass(metadata, memory), try canBeNamed(metadata, memory) else { throw Unreadable() }
    let type = unsafeBitCast(metadata, to: Any.Type.self)
    var layout = TypeLayout(kind: .instance, name: TypeName.qualified(type))
    layout.fixedSize = UInt(try memory.uint32(metadata &+ abi.classes.instanceSize))
    layout.fields = try fields(metadata, depth: 0, memory)
    layout.tail = try tail(of: metadata, memory)
    layout.elements = try elements(in: layout.tail, of: metadata, memory)
    if layout.tail != .words { layout.kind = .buffer }
    if layout.tail == .words { layout.isTailPlain = try isBufferOfPlain(metadata, memory) }
    if isStream(layout.name) { layout.tail = .none }
    setSizes(of: &layout)
    return layout
  }

  // Behind what a stream has buffered is room for a lock, with what its memory had before:
  // stdlib/public/Concurrency/AsyncStreamBuffer.swift. Nobody else can name a class like this.
  private static func isStream(_ name: String) -> Bool {
    let streams = ["Swift.AsyncStream<", "Swift.AsyncThrowingStream<"]
    return name.hasSuffix("._Storage") && streams.contains(where: name.hasPrefix)
  }

  /// Whether class metadata is at an address.
  static func isClass(_ metadata: UInt, _ memory: ProcessMemory) -> Bool {
    (try? checkClass(metadata, memory)) ?? false
  }

  private static func checkClass(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    let region = try memory.region(at: metadata, count: abi.classes.metadataSize)
    guard metadata & 7 == 0, region.word(at: metadata) == abi.kind.classObject,
      region.uint32(at: metadata + abi.classes.addressPoint) == 0,
      let size = region.uint32(at: metadata + abi.classes.instanceSize), size >= abi.object.header,
      let descriptor = region.word(at: metadata + abi.classes.descriptor)
    else { return false }
    return try isDescriptor(descriptor, memory)
  }

  // Memory that was freed can pass for metadata, which may be made at run time, and so be anywhere.
  // A descriptor is the compiler's: it lies in an image, and refers to a name there and to the
  // code that makes the metadata.
  private static func isDescriptor(
    _ address: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    guard address & 3 == 0 else { return false }
    let constants = try memory.image(at: address, count: abi.classes.descriptorSize)
    guard constants.uint32(at: address).map({ $0 & abi.classes.kindBits }) == abi.classes.kind,
      let accessor = constants.relative(at: address + abi.classes.accessor),
      let name = constants.relative(at: address + abi.classes.name)
    else { return false }
    return memory.segments.isCode(accessor) && isName(name, memory)
  }

  private static func isName(_ address: UInt, _ memory: ProcessMemory) -> Bool {
    guard let name = try? memory.text(address) else { return false }
    return !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 }
  }

  /// Whether the runtime can make a class's name: it follows what a generic class's metadata has for the
  /// arguments.
  static func canBeNamed(_ metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) -> Bool {
    let descriptor = try memory.word(metadata &+ abi.classes.descriptor)
    guard try memory.uint32(descriptor) >> abi.classes.genericBit & 1 == 1 else { return true }
    let arguments = try members(of: metadata, memory)
    return try GenericArguments.areTypes(at: arguments, of: descriptor, memory)
  }

  /// More superclasses than any class has.
  static let deepest = 64

  private static func fields(
    _ metadata: UInt, depth: Int, _ memory: ProcessMemory
  ) throws(Unreadable) -> [TypeLayout.Field] {
    let superclass = try memory.word(metadata &+ abi.classes.superclass)
    var found: [TypeLayout.Field] = []
    let hasSuperclass = superclass != 0 && depth < deepest && isClass(superclass, memory)
    if hasSuperclass { found = try fields(superclass, depth: depth + 1, memory) }
    let descriptor = try memory.word(metadata &+ abi.classes.descriptor)
    let list = try memory.relative(descriptor &+ abi.classes.fields)
    let count = UInt(try memory.uint32(descriptor &+ abi.classes.fieldCount))
    let isResilient = try isResilient(descriptor, memory)
    guard list != 0, count > 0, !isResilient else {
      let start = hasSuperclass ? try memory.uint32(superclass &+ abi.classes.instanceSize) : nil
      let size = UInt(try memory.uint32(metadata &+ abi.classes.instanceSize))
      let first = start.map { UInt($0) } ?? abi.object.header
      return found + unknown(from: first, to: size, isEmpty: count == 0)
    }
    let records = try memory.image(at: list, count: abi.fields.first &+ count * abi.fields.size)
    let place = UInt(try memory.uint32(descriptor &+ abi.classes.fieldOffsets)) * 8
    for index in 0..<count {
      let record = list + abi.fields.first + index * abi.fields.size
      let offset = try memory.word(metadata &+ place &+ index * 8)
      guard offset <= UInt(UInt32.max) else { throw Unreadable() }
      let name = records.relative(at: record + abi.fields.name) ?? 0
      found.append(
        TypeLayout.Field(
          name: name == 0 ? "" : fieldName(try memory.text(name)), offset: offset, size: 0,
          shape: try shape(of: record, in: metadata, memory)))
    }
    return found
  }

  /// Where the members begin that a class's metadata adds to its superclass's. When the superclass
  /// is of a library that may change, only the running process knows.
  static func members(of metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) -> UInt {
    let descriptor = try memory.word(metadata &+ abi.classes.descriptor)
    guard try !isResilient(descriptor, memory) else {
      let bounds = try memory.relative(descriptor &+ abi.classes.resilientBounds)
      return metadata &+ (try memory.word(bounds))
    }
    let words = try memory.uint32(descriptor &+ abi.classes.positiveWords)
    let members = try memory.uint32(descriptor &+ abi.classes.immediateMembers)
    guard members <= words else { throw Unreadable() }
    return metadata &+ UInt(words - members) * 8
  }

  private static func isResilient(
    _ descriptor: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    try memory.uint32(descriptor) >> abi.classes.resilientBit & 1 == 1
  }

  private static func shape(
    of record: UInt, in metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> ValueShape {
    let type = try MangledName(relativeTo: record &+ abi.fields.type, memory)
    return try type?.shape(inClass: metadata, memory) ?? .throughout(.mixed)
  }

  // One nameless field stands for what a class doesn't describe.
  private static func unknown(
    from start: UInt, to size: UInt, isEmpty: Bool
  ) -> [TypeLayout.Field] {
    if isEmpty || start >= size { return [] }
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
      let start = layout.fields[index].offset
      layout.fields[index].size = end > start ? end - start : 0
    }
  }
}

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
      constants.contains(descriptor, count: abi.context.first + UInt(captures) * abi.context.size)
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
