import MemlabHeapModel
import MemlabRuntimeABI

/// What class metadata says about instances: the name, the fields, the tail.
///
/// Assumes the metadata and descriptor layout of the Swift 5 ABI, as on platforms without
/// Objective-C. Field offsets come from the class itself, so a superclass's fields count too.
extension ProcessMemory {
  /// The layout of a class's instances.
  ///
  /// - Throws: ``Unreadable`` when `metadata` isn't class metadata after all.
  func classLayout(_ metadata: UInt) throws(Unreadable) -> TypeLayout {
    guard isClass(metadata), try canBeNamed(metadata) else { throw Unreadable() }
    let type = unsafeBitCast(metadata, to: Any.Type.self)
    var layout = TypeLayout(kind: .instance, name: TypeName.qualified(type))
    layout.fixedSize = UInt(try uint32(metadata &+ abi.classes.instanceSize))
    layout.fields = try fields(ofClass: metadata, depth: 0)
    let links = layout.fields.filter { isOptional($0.type, of: metadata) }
    layout.ownLink = links.count == 1 ? links[0].offset : nil
    layout.tail = try tail(ofClass: metadata)
    layout.elements = try elements(in: layout.tail, of: metadata)
    if layout.tail != .words { layout.kind = .buffer }
    // A class of somebody's own may be one for `ManagedBufferPointer`, which fills its room as well.
    let other: UInt? = layout.name.hasPrefix("Swift.") ? nil : 0
    if layout.tail == .words { layout.plainStride = try plainStride(ofBuffer: metadata) ?? other }
    // Behind what a stream has buffered is room for a lock, with what its memory had before:
    // stdlib/public/Concurrency/AsyncStreamBuffer.swift. Nobody else can name a class like this.
    if abi.streams.isStorage(layout.name) { layout.tail = .none }
    layout.fields.sort { $0.offset < $1.offset }
    let ends = layout.fields.dropFirst().map(\.offset) + [layout.fixedSize]
    for (index, end) in zip(layout.fields.indices, ends) {
      let start = layout.fields[index].offset
      layout.fields[index].size = end > start ? end - start : 0
    }
    return layout
  }

  /// Whether class metadata is at an address.
  func isClass(_ metadata: UInt) -> Bool { (try? checkClass(metadata)) ?? false }

  private func checkClass(_ metadata: UInt) throws(Unreadable) -> Bool {
    let region = try region(at: metadata, count: abi.classes.metadataSize)
    guard metadata & 7 == 0, region.word(at: metadata) == abi.kind.classObject,
      region.uint32(at: metadata + abi.classes.addressPoint) == 0,
      let size = region.uint32(at: metadata + abi.classes.instanceSize), size >= abi.object.header,
      let descriptor = region.word(at: metadata + abi.classes.descriptor)
    else { return false }
    return try isDescriptor(descriptor)
  }

  // Memory that was freed can pass for metadata, which may be made at run time, and so be anywhere.
  // A descriptor is the compiler's: it lies in an image, and refers to a name there and to the
  // code that makes the metadata.
  private func isDescriptor(_ address: UInt) throws(Unreadable) -> Bool {
    guard address & 3 == 0 else { return false }
    let constants = try image(at: address, count: abi.classes.descriptorSize)
    guard constants.uint32(at: address).map({ $0 & abi.classes.kindBits }) == abi.classes.kind,
      let accessor = constants.relative(at: address + abi.classes.accessor),
      let place = constants.relative(at: address + abi.classes.name), let name = try? text(place)
    else { return false }
    return segments.isCode(accessor) && !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 }
  }

  /// Where the descriptor of a class is.
  func classDescriptor(_ metadata: UInt) throws(Unreadable) -> UInt {
    try word(metadata &+ abi.classes.descriptor)
  }

  /// Whether the runtime can make a class's name: it follows what a generic class's metadata has for the
  /// arguments.
  func canBeNamed(_ metadata: UInt) throws(Unreadable) -> Bool {
    let descriptor = try classDescriptor(metadata)
    guard try isSet(abi.classes.genericBit, at: descriptor) else { return true }
    return try areTypes(at: members(ofClass: metadata), of: descriptor)
  }

  /// More superclasses than any class has.
  static let deepestClass = 64

  private func fields(ofClass metadata: UInt, depth: Int) throws(Unreadable) -> [TypeLayout.Field] {
    let superclass = try word(metadata &+ abi.classes.superclass)
    let hasSuperclass = superclass != 0 && depth < Self.deepestClass && isClass(superclass)
    var found = try hasSuperclass ? fields(ofClass: superclass, depth: depth + 1) : []
    let descriptor = try classDescriptor(metadata)
    let list = try relative(descriptor &+ abi.classes.fields)
    let count = UInt(try uint32(descriptor &+ abi.classes.fieldCount))
    guard list != 0, count > 0, try !isSet(abi.classes.resilientBit, at: descriptor) else {
      let start = hasSuperclass ? try uint32(superclass &+ abi.classes.instanceSize) : nil
      let size = UInt(try uint32(metadata &+ abi.classes.instanceSize))
      let first = start.map { UInt($0) } ?? abi.object.header
      // One nameless field stands for what a class doesn't describe.
      return count > 0 && first < size
        ? found + [.init(name: "", offset: first, size: 0, shape: .throughout(.mixed))] : found
    }
    let records = try image(at: list, count: abi.fields.first &+ count * abi.fields.size)
    let place = UInt(try uint32(descriptor &+ abi.classes.fieldOffsets)) * 8
    for index in 0..<count {
      let record = list + abi.fields.first + index * abi.fields.size
      let offset = try word(metadata &+ place &+ index * 8)
      guard offset <= UInt(UInt32.max) else { throw Unreadable() }
      let name = records.relative(at: record + abi.fields.name) ?? 0
      let (shape, type) = try shape(ofField: record, in: metadata)
      found.append(
        .init(
          // A lazy property has the name that it has in the source.
          name: name == 0 ? "" : String(try text(name).trimmingPrefix(abi.fields.lazyPrefix)),
          offset: offset, size: 0, shape: shape, type: type))
    }
    return found
  }

  /// Where the members begin that a class's metadata adds to its superclass's. When the superclass
  /// is of a library that may change, only the running process knows.
  func members(ofClass metadata: UInt) throws(Unreadable) -> UInt {
    let descriptor = try classDescriptor(metadata)
    guard try !isSet(abi.classes.resilientBit, at: descriptor) else {
      return metadata &+ (try word(relative(descriptor &+ abi.classes.resilientBounds)))
    }
    let words = try uint32(descriptor &+ abi.classes.positiveWords)
    let members = try uint32(descriptor &+ abi.classes.immediateMembers)
    guard members <= words else { throw Unreadable() }
    return metadata &+ UInt(words - members) * 8
  }

  // Where a property has references, and where its type's metadata is: zero where that is not known. The
  // type may depend on the arguments that the class's metadata has. Over a name that does, the runtime ends
  // the program where it is not given them.
  private func shape(
    ofField record: UInt, in metadata: UInt
  ) throws(Unreadable) -> (shape: ValueShape, type: UInt) {
    let name = try MangledName(relativeTo: record &+ abi.fields.type, self)
    if let ownership = name?.plainOwnership { return (.throughout(ownership), 0) }
    let descriptor = try classDescriptor(metadata)
    var type: UInt?
    if try !isSet(abi.classes.genericBit, at: descriptor) {
      type = name?.type
    } else if case let arguments = try members(ofClass: metadata),
      try areTypes(at: arguments, of: descriptor)
    {
      type = name?.type(in: descriptor, arguments: arguments)
    }
    return (type.map(shape) ?? .throughout(.mixed), type ?? 0)
  }

  private func isOptional(_ type: UInt, of wrapped: UInt) -> Bool {
    (try? word(type)) == abi.kind.optional && (try? word(type &+ abi.type.arguments)) == wrapped
  }
}

/// What the metadata of a closure context or a box says about what was captured.
extension ProcessMemory {
  /// The layout of the contexts that begin with this metadata.
  ///
  /// Captures are told apart by the compiler's capture descriptor. From the first capture whose
  /// size can't be known (its type is generic), every word may be a reference.
  ///
  /// - Parameter metadata: in a loaded image.
  func contextLayout(_ metadata: UInt) -> TypeLayout {
    var layout = TypeLayout(kind: .context, tail: .words)
    if (try? readCaptures(metadata, into: &layout)) == true { layout.tail = .none }
    return layout
  }

  // Returns whether all captures are known.
  private func readCaptures(
    _ metadata: UInt, into layout: inout TypeLayout
  ) throws(Unreadable) -> Bool {
    let descriptor = try word(metadata &+ abi.context.descriptor)
    guard descriptor & 3 == 0 else { return false }
    let constants = try image(at: descriptor, count: abi.context.first)
    guard let captures = constants.uint32(at: descriptor + abi.context.count),
      constants.uint32(at: descriptor + abi.context.sources) == 0,
      constants.uint32(at: descriptor + abi.context.bindings) == 0,
      constants.contains(descriptor, count: abi.context.first + UInt(captures) * abi.context.size)
    else { return false }
    layout.fixedSize = UInt(try uint32(metadata &+ abi.context.start))
    for index in 0..<UInt(captures) {
      let record = descriptor + abi.context.first + index * abi.context.size
      guard let name = try MangledName(relativeTo: record, self) else { return false }
      let (ownership, type) = (name.plainOwnership, name.type)
      guard let (size, alignment) = try measure(ownership, type) else { return false }
      let offset = layout.fixedSize.rounded(upTo: alignment)
      let shape = ownership.map { .throughout($0) } ?? type.map(shape) ?? .throughout(.mixed)
      layout.fields.append(
        .init(name: "", offset: offset, size: size, shape: shape, type: type ?? 0))
      layout.fixedSize = offset + size
    }
    return true
  }

  private func measure(
    _ ownership: ReferenceOwnership?, _ type: UInt?
  ) throws(Unreadable) -> (size: UInt, alignment: UInt)? {
    if ownership == .weak || ownership == .unowned { return (8, 8) }
    guard let type else { return nil }
    let witnesses = try ValueWitnesses(metadata: type, self)
    // A type that cannot be copied comes back without a size: the next capture's place is unknown.
    return witnesses.size > 0 ? (witnesses.size, witnesses.alignment) : nil
  }
}

extension UInt {
  /// The next multiple of an alignment.
  func rounded(upTo alignment: UInt) -> UInt { (self + alignment - 1) / alignment * alignment }
}
