import MemlabHeapModel
import MemlabRuntimeABI

/// What the runtime knows of a type's values.
///
/// The metadata of a C library's class has no table before somebody uses it: its values are
/// references.
struct ValueWitnesses {
  /// A value's size in bytes.
  let size: UInt
  /// The distance between two values in an array, in bytes.
  let stride: UInt
  private let flags: UInt32

  /// Reads the table of a type.
  ///
  /// - Parameter metadata: the address of a type's metadata. The word before it is the address of
  ///   the table.
  /// - Throws: ``Unreadable`` where there is no metadata of a type.
  init(metadata: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    guard memory.isType(metadata) else { throw Unreadable() }
    let table = try memory.word(metadata &- abi.metadata.witnesses)
    guard table != 0 else {
      (size, stride, flags) = (8, 8, 1 << abi.witness.notPlainBit | 7)
      return
    }
    size = try memory.word(table &+ abi.witness.size)
    stride = try memory.word(table &+ abi.witness.stride)
    flags = try memory.uint32(table &+ abi.witness.flags)
    guard size <= Self.largest, stride <= Self.largest else { throw Unreadable() }
  }

  // Larger than any type's values.
  private static let largest: UInt = 1 << 32

  /// A value's alignment in bytes.
  var alignment: UInt { UInt(flags & abi.witness.alignmentBits) + 1 }

  /// Whether values can be copied byte by byte: they hold no references that count.
  var isPlain: Bool { flags >> abi.witness.notPlainBit & 1 == 0 }

  /// Whether an existential container keeps them in itself, and not in a box.
  var isInline: Bool { flags >> abi.witness.notInlineBit & 1 == 0 }
}

extension ProcessMemory {
  // A pointer that `Unmanaged.passRetained` has given may be in any of these.
  private static let rawTypes: [Any.Type] = [
    Unmanaged<AnyObject>.self, UnsafeRawPointer.self, UnsafeMutableRawPointer.self,
    OpaquePointer.self,
  ]

  /// Whether the values of a type are pointers that may own an object, optionals of such, or structures
  /// with one.
  func isRaw(_ metadata: UInt) -> Bool { isRaw(metadata, depth: 0) }

  private func isRaw(_ metadata: UInt, depth: Int) -> Bool {
    guard let kind = try? word(metadata), let own = try? word(metadata &+ abi.type.descriptor)
    else { return false }
    if kind == abi.kind.optional {
      return (try? word(metadata &+ abi.type.arguments)).map { isRaw($0, depth: depth) } ?? false
    }
    guard kind == abi.kind.structure else { return false }
    let isPointer = Self.rawTypes.contains {
      (try? word(unsafeBitCast($0, to: UInt.self) &+ abi.type.descriptor)) == own
    }
    return isPointer || depth < Self.deepestPointer && (try? hasRawField(own, depth + 1)) == true
  }

  private static let deepestPointer = 4

  private func hasRawField(_ descriptor: UInt, _ depth: Int) throws(Unreadable) -> Bool {
    guard try !isSet(abi.classes.genericBit, at: descriptor) else { return false }
    for record in try fieldRecords(of: descriptor) {
      let name = try MangledName(relativeTo: record &+ abi.fields.type, self)
      if let type = name?.type, isRaw(type, depth: depth) { return true }
    }
    return false
  }

  // Where the records of a structure's properties are, of the first ones.
  private func fieldRecords(of descriptor: UInt) throws(Unreadable) -> [UInt] {
    let list = try relative(descriptor &+ abi.classes.fields)
    let count = UInt(try uint32(descriptor &+ abi.type.fieldCount))
    guard list != 0 else { return [] }
    return (0..<min(count, 64)).map { list &+ abi.fields.first &+ $0 * abi.fields.size }
  }

  /// The properties that lead from a structure's value to what is at an offset in it, such as
  /// `state.items`; nil for other types, and for those of Swift's own libraries.
  func path(in type: UInt, to offset: UInt) -> String? {
    guard (try? word(type)) == abi.kind.structure, isType(type) else { return nil }
    let name = TypeName.qualified(unsafeBitCast(type, to: Any.Type.self))
    let isLibrarys = abi.libraries.modules.contains { name.hasPrefix($0 + ".") }
    return isLibrarys ? nil : try? readPath(in: type, to: offset)
  }

  private func readPath(in type: UInt, to offset: UInt) throws(Unreadable) -> String? {
    let descriptor = try word(type &+ abi.type.descriptor)
    let place = type &+ UInt(try uint32(descriptor &+ abi.type.fieldOffsets)) * 8
    guard place != type else { return nil }
    var last: (record: UInt, offset: UInt)?
    for (index, record) in try fieldRecords(of: descriptor).enumerated() {
      let start = UInt(try uint32(place &+ UInt(index) * abi.type.fieldOffsetSize))
      if start <= offset { last = (record, start) }
    }
    guard let last else { return nil }
    let name = try text(relative(last.record &+ abi.fields.name))
    let isGeneric = try isSet(abi.classes.genericBit, at: descriptor)
    let inner = try MangledName(relativeTo: last.record &+ abi.fields.type, self)
    let rest = (isGeneric ? nil : inner?.type).flatMap { path(in: $0, to: offset - last.offset) }
    return rest.map { name + "." + $0 } ?? name
  }
}

/// The shapes of types that were read: many types have the same ones among their own.
final class KnownShapes {
  fileprivate struct Place: Hashable {
    var metadata: UInt
    var depth: Int
    var size: UInt
  }

  fileprivate var shapes: [Place: ValueShape] = [:]
}

// The shapes of types, and of the types in them.
extension ProcessMemory {
  private typealias Place = KnownShapes.Place

  // Beyond this depth and width, a shape only says that any word may be a reference.
  private static let deepest = 8
  private static let mostFields: UInt = 4096
  private static let mostParts = 4096

  /// The shape of a type's values. Where it cannot be told, any word may be a reference.
  ///
  /// - Parameter metadata: the address of its metadata.
  func shape(of metadata: UInt) -> ValueShape { shape(of: metadata, depth: 0) }

  private func shape(of metadata: UInt, depth: Int) -> ValueShape {
    guard let witnesses = try? ValueWitnesses(metadata: metadata, self) else {
      return .throughout(.mixed)
    }
    let place = Place(metadata: metadata, depth: depth, size: witnesses.size)
    if let shape = known.shapes[place] { return shape }
    let shape = shape(of: place, isPlain: witnesses.isPlain)
    known.shapes[place] = shape
    return shape
  }

  private func shape(of value: Place, isPlain: Bool) -> ValueShape {
    // A type that cannot be copied comes back without a size, and looks plain.
    guard value.size > 0 else { return .throughout(isPlain ? .mixed : .strong) }
    guard !isPlain else {
      return .throughout(isRaw(value.metadata) ? .raw : .pointer, size: value.size)
    }
    guard value.depth < Self.deepest, let shape = try? read(value),
      shape.parts.count + shape.choices.count <= Self.mostParts
    else { return .throughout(.mixed, size: value.size) }
    return shape
  }

  private func read(_ value: Place) throws(Unreadable) -> ValueShape? {
    switch try word(value.metadata) {
    case abi.kind.structure: return try structure(value)
    case abi.kind.optional, abi.kind.enumeration: return try enumeration(value)
    case abi.kind.tuple: return try tuple(value)
    case abi.kind.existential:
      let flags = value.metadata &+ abi.type.existentialFlags
      let holdsAnything = try isSet(UInt32(abi.type.anyValueBit), at: flags)
      // That of an `any Error` is a box always.
      let isContainer = holdsAnything && value.size >= abi.container.size
      return isContainer ? ValueShape(choice: .anything) : .throughout(.strong, size: value.size)
    case abi.kind.extendedExistential: return nil
    default: return .throughout(.strong, size: value.size)
    }
  }

  private func structure(_ value: Place) throws(Unreadable) -> ValueShape? {
    let descriptor = try word(value.metadata &+ abi.type.descriptor)
    let count = UInt(try uint32(descriptor &+ abi.type.fieldCount))
    let words = UInt(try uint32(descriptor &+ abi.type.fieldOffsets))
    guard words != 0, let fields = try fields(of: value, count) else { return nil }
    let (place, size) = (value.metadata &+ words * 8, abi.type.fieldOffsetSize)
    let offsets = try region(at: place, count: count * size)
    var shape = ValueShape()
    for (index, field) in zip(0..<count, fields) {
      let offset = UInt(offsets.uint32(at: place &+ index * size) ?? .max)
      let isLast = index + 1 == count
      let next = isLast ? value.size : UInt(offsets.uint32(at: place &+ (index + 1) * size) ?? 0)
      guard offset < next, next <= value.size else { continue }
      shape.add(field, at: offset, size: next - offset)
    }
    return shape
  }

  private func tuple(_ value: Place) throws(Unreadable) -> ValueShape? {
    let count = try word(value.metadata &+ abi.type.tupleCount)
    guard count <= Self.mostFields else { return nil }
    var shape = ValueShape()
    for index in 0..<count {
      let element = value.metadata &+ abi.type.tupleElements &+ index * abi.type.tupleElementSize
      let type = self.shape(of: try word(element), depth: value.depth + 1)
      // Four bytes; the four that follow are never written.
      let offset = UInt(try uint32(element &+ abi.type.tupleOffset))
      shape.add(type, at: offset, size: value.size - min(value.size, offset))
    }
    return shape
  }

  // Optimised code writes no more of an empty case than what tells it from the payload: the other words
  // are what was there before. A value of one word tells it in that word, which is no address then.
  private func enumeration(_ value: Place) throws(Unreadable) -> ValueShape? {
    let descriptor = try word(value.metadata &+ abi.type.descriptor)
    let payloadCases = try uint32(descriptor &+ abi.type.payloadCases)
    let count = UInt(payloadCases) & ((1 << abi.type.payloadCaseBits) - 1)
    guard let cases = try fields(of: value, count) else { return nil }
    let payloads = cases.map { shape in
      var payload = ValueShape()
      payload.add(shape, at: 0, size: value.size)
      return payload
    }
    if payloads.allSatisfy(\.isEmpty) { return ValueShape() }
    if payloads.count == 1, value.size <= 8 { return payloads[0] }
    // It alone knows into which spare bits the compiler has put the number of a case.
    let table = try word(value.metadata &- abi.metadata.witnesses)
    let function = try word(table &+ abi.witness.enumTag)
    guard segments.isCode(function) else { throw Unreadable() }
    let tag = EnumTag(proven: function, metadata: value.metadata, size: value.size)
    return ValueShape(choice: .payload(tag, payloads))
  }

  /// The shapes of a structure's properties, or of an enumeration's cases; nil where the compiler was
  /// told to say nothing about them.
  private func fields(of value: Place, _ count: UInt) throws(Unreadable) -> [ValueShape]? {
    let descriptor = try word(value.metadata &+ abi.type.descriptor)
    let list = try relative(descriptor &+ abi.classes.fields)
    guard list != 0, count > 0 else { return nil }
    guard count <= Self.mostFields else { throw Unreadable() }
    let arguments = value.metadata &+ abi.type.arguments
    let isGeneric = try isSet(abi.classes.genericBit, at: descriptor)
    let isWhole = isGeneric ? try areTypes(at: arguments, of: descriptor) : true
    var shapes: [ValueShape] = []
    for index in 0..<count {
      let record = list &+ abi.fields.first &+ index * abi.fields.size
      let isBox = try isSet(abi.fields.indirectBit, at: record)
      let name = isBox ? nil : try MangledName(relativeTo: record &+ abi.fields.type, self)
      if isBox {
        shapes.append(.throughout(.strong, size: 8))
      } else if let ownership = name?.plainOwnership {
        shapes.append(.throughout(ownership))
      } else if isWhole, let type = name?.type(in: descriptor, arguments: arguments) {
        shapes.append(shape(of: type, depth: value.depth + 1))
      } else {
        shapes.append(.throughout(.mixed))
      }
    }
    return shapes
  }
}
