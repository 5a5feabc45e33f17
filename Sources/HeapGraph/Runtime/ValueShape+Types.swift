import RuntimeABI

extension ValueShape {
  /// The shape of a type's values. Where it cannot be told, any word may be a reference.
  ///
  /// - Parameter metadata: the address of its metadata, which the runtime has made.
  init(of metadata: UInt, depth: Int = 0) {
    let witnesses = ValueWitnesses(metadata: metadata)
    // A type that cannot be copied comes back without a size, and looks plain.
    guard !witnesses.isPlain || witnesses.size == 0 else {
      self = .throughout(.pointer, size: witnesses.size)
      return
    }
    let size = witnesses.size == 0 ? nil : witnesses.size
    self =
      Self.read(metadata, depth)
      ?? size.map { .throughout(.mixed, size: $0) } ?? .throughout(.strong)
  }

  private static func read(_ metadata: UInt, _ depth: Int) -> ValueShape? {
    guard depth < 8 else { return nil }
    let size = ValueWitnesses(metadata: metadata).size
    switch Memory.word(metadata) {
    case _ where size == 0: return nil
    case abi.kind.structure: return structure(metadata, size, depth)
    case abi.kind.optional, abi.kind.enumeration: return enumeration(metadata, size, depth)
    case abi.kind.tuple: return tuple(metadata, depth)
    case abi.kind.existential:
      let holdsAnything =
        Memory.uint32(metadata + abi.type.existentialFlags) & (1 << abi.type.anyValueBit) != 0
      // That of an `any Error` is a box always.
      let isContainer = holdsAnything && size >= abi.container.size
      return isContainer ? ValueShape(choice: .anything) : .throughout(.strong, size: size)
    case abi.kind.extendedExistential: return nil
    default: return .throughout(.strong, size: size)
    }
  }

  private static func structure(_ metadata: UInt, _ size: UInt, _ depth: Int) -> ValueShape? {
    let descriptor = Memory.word(metadata + abi.type.descriptor)
    let offsets = metadata + UInt(Memory.uint32(descriptor + abi.type.fieldOffsets)) * 8
    let fields = FieldRecords(
      of: descriptor, count: Memory.uint32(descriptor + abi.type.fieldCount))
    guard let fields, offsets != metadata else { return nil }
    var shape = ValueShape()
    for index in 0..<fields.count {
      let offset = UInt(Memory.uint32(offsets + index * abi.type.fieldOffsetSize))
      let next =
        index + 1 < fields.count
        ? UInt(Memory.uint32(offsets + (index + 1) * abi.type.fieldOffsetSize)) : size
      guard offset < next else { continue }
      shape.add(fields.shape(index, of: metadata, depth), at: offset, size: next - offset)
    }
    return shape
  }

  private static func tuple(_ metadata: UInt, _ depth: Int) -> ValueShape {
    var shape = ValueShape()
    for index in 0..<Memory.word(metadata + abi.type.tupleCount) {
      let element = metadata + abi.type.tupleElements + index * abi.type.tupleElementSize
      let type = ValueShape(of: Memory.word(element), depth: depth + 1)
      // Four bytes, and four that nobody has written.
      shape.add(type, at: UInt(Memory.uint32(element + abi.type.tupleOffset)))
    }
    return shape
  }

  // Of one payload or none: beside the others, the words of a payload are not told apart.
  private static func enumeration(_ metadata: UInt, _ size: UInt, _ depth: Int) -> ValueShape? {
    let descriptor = Memory.word(metadata + abi.type.descriptor)
    let count =
      Memory.uint32(descriptor + abi.type.payloadCases) & ((1 << abi.type.payloadCaseBits) - 1)
    guard let cases = FieldRecords(of: descriptor, count: count) else { return nil }
    let payloads = (0..<cases.count).map { index in
      var payload = ValueShape()
      payload.add(cases.shape(index, of: metadata, depth), at: 0, size: size)
      return payload
    }
    if payloads.allSatisfy(\.isEmpty) { return ValueShape() }
    if payloads.count == 1 { return payloads[0] }
    return ValueShape(choice: .payload(EnumTag(metadata: metadata), payloads))
  }
}

/// What a structure or an enumeration says about its properties, or about its cases.
private struct FieldRecords {
  private let list: UInt
  private let descriptor: UInt
  let count: UInt

  /// Nil where the compiler was told to say nothing about them.
  init?(of descriptor: UInt, count: UInt32) {
    list = Memory.relative(descriptor + abi.classes.fields)
    self.descriptor = descriptor
    self.count = UInt(count)
    guard list != 0, count > 0 else { return nil }
  }

  /// The shape of one of them in a type that the descriptor describes.
  func shape(_ index: UInt, of metadata: UInt, _ depth: Int) -> ValueShape {
    let record = list + abi.fields.first + index * abi.fields.size
    if Memory.uint32(record) & (1 << abi.fields.indirectBit) != 0 {
      return .throughout(.strong, size: 8)
    }
    let place = Memory.relative(record + abi.fields.type)
    guard place != 0 else { return .throughout(.mixed) }
    let name = MangledName(at: place)
    if let ownership = name.plainOwnership { return .throughout(ownership) }
    let arguments = metadata + abi.type.arguments
    guard let type = name.type(in: descriptor, arguments: arguments) else {
      return .throughout(.mixed)
    }
    return ValueShape(of: unsafeBitCast(type, to: UInt.self), depth: depth + 1)
  }
}
