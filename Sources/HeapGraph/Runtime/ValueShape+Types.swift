extension ValueShape {
  private typealias Kind = RuntimeLayout.TypeKind

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
    case Kind.structure: return structure(metadata, size, depth)
    case Kind.optional, Kind.enumeration: return enumeration(metadata, size, depth)
    case Kind.tuple: return tuple(metadata, depth)
    case Kind.existential:
      let holdsAnything = Memory.half(metadata + Kind.existentialFlags) & Kind.holdsAnything != 0
      // That of an `any Error` is a box always.
      let isContainer = holdsAnything && size >= ExistentialContainers.size
      return isContainer ? ValueShape(choice: .anything) : .throughout(.strong, size: size)
    case Kind.extendedExistential: return nil
    default: return .throughout(.strong, size: size)
    }
  }

  private static func structure(_ metadata: UInt, _ size: UInt, _ depth: Int) -> ValueShape? {
    let descriptor = Memory.word(metadata + 8)
    let offsets = metadata + UInt(Memory.half(descriptor + Kind.structureFieldOffsets)) * 8
    let fields = FieldRecords(
      of: descriptor, count: Memory.half(descriptor + Kind.structureFieldCount))
    guard let fields, offsets != metadata else { return nil }
    var shape = ValueShape()
    for index in 0..<fields.count {
      let offset = UInt(Memory.half(offsets + index * 4))
      let next = index + 1 < fields.count ? UInt(Memory.half(offsets + index * 4 + 4)) : size
      guard offset < next else { continue }
      shape.add(fields.shape(index, of: metadata, depth), at: offset, size: next - offset)
    }
    return shape
  }

  private static func tuple(_ metadata: UInt, _ depth: Int) -> ValueShape {
    var shape = ValueShape()
    for index in 0..<Memory.word(metadata + Kind.tupleCount) {
      let element = metadata + Kind.tupleElements + index * 16
      let type = ValueShape(of: Memory.word(element), depth: depth + 1)
      // Four bytes, and four that nobody has written.
      shape.add(type, at: UInt(Memory.half(element + 8)))
    }
    return shape
  }

  // Of one payload or none: beside the others, the words of a payload are not told apart.
  private static func enumeration(_ metadata: UInt, _ size: UInt, _ depth: Int) -> ValueShape? {
    let descriptor = Memory.word(metadata + 8)
    let count = Memory.half(descriptor + Kind.payloadCases) & 0xff_ffff
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
    list = Memory.relative(descriptor + RuntimeLayout.ClassDescriptor.fields)
    self.descriptor = descriptor
    self.count = UInt(count)
    guard list != 0, count > 0 else { return nil }
  }

  /// The shape of one of them in a type that the descriptor describes.
  func shape(_ index: UInt, of metadata: UInt, _ depth: Int) -> ValueShape {
    let record = list + 16 + index * 12
    if Memory.half(record) & RuntimeLayout.TypeKind.isIndirectCase != 0 {
      return .throughout(.strong, size: 8)
    }
    let place = Memory.relative(record + 4)
    guard place != 0 else { return .throughout(.mixed) }
    let name = MangledName(at: place)
    if let ownership = name.plainOwnership { return .throughout(ownership) }
    let arguments = metadata + RuntimeLayout.TypeKind.arguments
    guard let type = name.type(in: descriptor, arguments: arguments) else {
      return .throughout(.mixed)
    }
    return ValueShape(of: unsafeBitCast(type, to: UInt.self), depth: depth + 1)
  }
}

extension RuntimeLayout {
  /// Kind words of the metadata of values, and offsets into it.
  enum TypeKind {
    static let structure: UInt = 0x200
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
    static let tuple: UInt = 0x301
    static let existential: UInt = 0x303
    static let extendedExistential: UInt = 0x307
    static let arguments: UInt = 16
    static let structureFieldCount: UInt = 20
    static let structureFieldOffsets: UInt = 24
    static let payloadCases: UInt = 20
    static let isIndirectCase: UInt32 = 1
    static let tupleCount: UInt = 8
    static let tupleElements: UInt = 24
    static let existentialFlags: UInt = 8
    static let holdsAnything: UInt32 = 1 << 31
  }
}
