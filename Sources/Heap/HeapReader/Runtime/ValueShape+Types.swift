import MemlabHeapModel
import MemlabRuntimeABI

extension ValueShape {
  /// The shape of a type's values. Where it cannot be told, any word may be a reference.
  ///
  /// - Parameter metadata: the address of its metadata.
  init(of metadata: UInt, _ memory: ProcessMemory) {
    var reader = ShapeReader(memory: memory)
    self = reader.shape(of: metadata, depth: 0)
  }
}

/// Reads the shapes of types, and of the types in them.
private struct ShapeReader {
  let memory: ProcessMemory
  // A type may have another in many places.
  private var known: [Place: ValueShape] = [:]

  private struct Place: Hashable {
    var metadata: UInt
    var depth: Int
  }

  init(memory: ProcessMemory) { self.memory = memory }

  // Beyond this depth and width, a shape only says that any word may be a reference.
  private static let deepest = 8
  private static let mostFields: UInt = 4096
  private static let mostParts = 4096

  mutating func shape(of metadata: UInt, depth: Int) -> ValueShape {
    let place = Place(metadata: metadata, depth: depth)
    if let shape = known[place] { return shape }
    guard let witnesses = try? ValueWitnesses(metadata: metadata, memory) else {
      return .throughout(.mixed)
    }
    // A type that cannot be copied comes back without a size, and looks plain.
    guard witnesses.size > 0 else {
      return witnesses.isPlain ? .throughout(.mixed) : .throughout(.strong)
    }
    guard !witnesses.isPlain else { return .throughout(.pointer, size: witnesses.size) }
    guard depth < Self.deepest else { return .throughout(.mixed, size: witnesses.size) }
    let shape =
      (try? read(metadata, witnesses.size, depth)) ?? .throughout(.mixed, size: witnesses.size)
    let isWide = shape.parts.count + shape.choices.count > Self.mostParts
    let known = isWide ? .throughout(.mixed, size: witnesses.size) : shape
    self.known[place] = known
    return known
  }

  private mutating func read(
    _ metadata: UInt, _ size: UInt, _ depth: Int
  ) throws(Unreadable) -> ValueShape? {
    switch try memory.word(metadata) {
    case abi.kind.structure: return try structure(metadata, size, depth)
    case abi.kind.optional, abi.kind.enumeration: return try enumeration(metadata, size, depth)
    case abi.kind.tuple: return try tuple(metadata, size, depth)
    case abi.kind.existential:
      let flags = try memory.uint32(metadata &+ abi.type.existentialFlags)
      let holdsAnything = flags >> abi.type.anyValueBit & 1 == 1
      // That of an `any Error` is a box always.
      let isContainer = holdsAnything && size >= abi.container.size
      return isContainer ? ValueShape(choice: .anything) : .throughout(.strong, size: size)
    case abi.kind.extendedExistential: return nil
    default: return .throughout(.strong, size: size)
    }
  }

  private mutating func structure(
    _ metadata: UInt, _ size: UInt, _ depth: Int
  ) throws(Unreadable) -> ValueShape? {
    let descriptor = try memory.word(metadata &+ abi.type.descriptor)
    let count = try memory.uint32(descriptor &+ abi.type.fieldCount)
    let place = UInt(try memory.uint32(descriptor &+ abi.type.fieldOffsets)) * 8
    guard place != 0, let fields = try FieldRecords(of: metadata, count: UInt(count), memory) else {
      return nil
    }
    let offsets = try memory.region(
      at: metadata &+ place, count: fields.count * abi.type.fieldOffsetSize)
    var shape = ValueShape()
    for index in 0..<fields.count {
      let entry = metadata &+ place &+ index * abi.type.fieldOffsetSize
      let offset = UInt(offsets.uint32(at: entry) ?? .max)
      let isLast = index + 1 == fields.count
      let next = isLast ? size : UInt(offsets.uint32(at: entry + abi.type.fieldOffsetSize) ?? 0)
      guard offset < next, next <= size else { continue }
      let field = try self.shape(of: fields[index], depth)
      shape.add(field, at: offset, size: next - offset)
    }
    return shape
  }

  private mutating func tuple(
    _ metadata: UInt, _ size: UInt, _ depth: Int
  ) throws(Unreadable) -> ValueShape? {
    let count = try memory.word(metadata &+ abi.type.tupleCount)
    guard count <= Self.mostFields else { return nil }
    var shape = ValueShape()
    for index in 0..<count {
      let element = metadata &+ abi.type.tupleElements &+ index * abi.type.tupleElementSize
      let type = self.shape(of: try memory.word(element), depth: depth + 1)
      // Four bytes; the four that follow are never written.
      let offset = UInt(try memory.uint32(element &+ abi.type.tupleOffset))
      shape.add(type, at: offset, size: size - min(size, offset))
    }
    return shape
  }

  // Optimised code writes no more of an empty case than what tells it from the payload: the other words
  // are what was there before. A value of one word tells it in that word, which is no address then.
  private mutating func enumeration(
    _ metadata: UInt, _ size: UInt, _ depth: Int
  ) throws(Unreadable) -> ValueShape? {
    let descriptor = try memory.word(metadata &+ abi.type.descriptor)
    let payloadCases = try memory.uint32(descriptor &+ abi.type.payloadCases)
    let count = UInt(payloadCases) & ((1 << abi.type.payloadCaseBits) - 1)
    guard let cases = try FieldRecords(of: metadata, count: count, memory) else { return nil }
    var payloads: [ValueShape] = []
    for index in 0..<cases.count {
      var payload = ValueShape()
      payload.add(try self.shape(of: cases[index], depth), at: 0, size: size)
      payloads.append(payload)
    }
    if payloads.allSatisfy(\.isEmpty) { return ValueShape() }
    if payloads.count == 1, size <= 8 { return payloads[0] }
    return ValueShape(choice: .payload(try EnumTag(metadata: metadata, memory), payloads))
  }

  private mutating func shape(
    of field: FieldRecords.Field, _ depth: Int
  ) throws(Unreadable) -> ValueShape {
    switch field {
    case .reference: return .throughout(.strong, size: 8)
    case .unknown: return .throughout(.mixed)
    case .plain(let ownership): return .throughout(ownership)
    case .type(let type): return shape(of: type, depth: depth + 1)
    }
  }
}

/// What a structure or an enumeration says about its properties, or about its cases.
private struct FieldRecords {
  enum Field {
    /// A box.
    case reference
    /// Nothing is said.
    case unknown
    case plain(ReferenceOwnership)
    case type(UInt)
  }

  let count: UInt
  private var fields: [Field] = []

  subscript(index: UInt) -> Field { fields[Int(index)] }

  /// Nil where the compiler was told to say nothing about them.
  ///
  /// - Parameters:
  ///   - metadata: of the structure or the enumeration.
  ///   - count: how many there are.
  init?(of metadata: UInt, count: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    let descriptor = try memory.word(metadata &+ abi.type.descriptor)
    let list = try memory.relative(descriptor &+ abi.classes.fields)
    guard list != 0, count > 0 else { return nil }
    guard count <= 4096 else { throw Unreadable() }
    self.count = count
    let arguments = metadata &+ abi.type.arguments
    let isGeneric = try memory.uint32(descriptor) >> abi.classes.genericBit & 1 == 1
    var isWhole = true
    if isGeneric { isWhole = try GenericArguments.areTypes(at: arguments, of: descriptor, memory) }
    for index in 0..<count {
      let record = list &+ abi.fields.first &+ index * abi.fields.size
      if try memory.uint32(record) >> abi.fields.indirectBit & 1 == 1 {
        fields.append(.reference)
        continue
      }
      let name = try MangledName(relativeTo: record &+ abi.fields.type, memory)
      if let ownership = name?.plainOwnership {
        fields.append(.plain(ownership))
      } else if isWhole, let type = name?.type(in: descriptor, arguments: arguments) {
        fields.append(.type(type))
      } else {
        fields.append(.unknown)
      }
    }
  }
}
