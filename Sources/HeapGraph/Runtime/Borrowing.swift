/// Whether values of a type may hold references that keep nothing alive among those that do.
///
/// A word of such a value looks like a strong reference: an `unowned` property of a structure has an
/// object's address too. Doubt counts as yes.
enum Borrowing {
  private typealias Kind = RuntimeLayout.TypeKind

  /// Asks for a type.
  ///
  /// - Parameter metadata: the address of its metadata, which the runtime has made.
  static func isPossible(in metadata: UInt, depth: Int = 0) -> Bool {
    guard depth < 8 else { return true }
    switch Memory.word(metadata) {
    case Kind.structure: return isPossible(inStructure: metadata, depth)
    case Kind.optional:
      let payload = Memory.word(metadata + Kind.enumArguments)
      return isPossible(in: payload, depth: depth + 1)
    case Kind.tuple:
      let elements = metadata + Kind.tupleElements
      return (0..<Memory.word(metadata + Kind.tupleCount)).contains { index in
        isPossible(in: Memory.word(elements + index * 16), depth: depth + 1)
      }
    case Kind.existential:
      return Memory.half(metadata + Kind.existentialFlags) & Kind.holdsAnything != 0
    case Kind.enumeration, Kind.extendedExistential: return true
    default: return false
    }
  }

  private static func isPossible(inStructure metadata: UInt, _ depth: Int) -> Bool {
    guard !ValueWitnesses(metadata: metadata).isPlain else { return false }
    let descriptor = Memory.word(metadata + 8)
    let list = Memory.relative(descriptor + RuntimeLayout.ClassDescriptor.fields)
    let count = UInt(Memory.half(descriptor + Kind.structureFieldCount))
    guard list != 0, count > 0 else { return true }
    return (0..<count).contains { index in
      let name = Memory.relative(list + 16 + index * 12 + 4)
      guard name != 0 else { return true }
      return isPossible(in: MangledName(at: name), of: metadata, descriptor, depth + 1)
    }
  }

  private static func isPossible(
    in field: MangledName, of metadata: UInt, _ descriptor: UInt, _ depth: Int
  ) -> Bool {
    switch field.ownership(isGeneric: true) {
    case .weak, .unowned: return true
    case .none, .pointer: return false
    case .strong, .mixed: break
    }
    let arguments = metadata + Kind.structureArguments
    guard let type = field.type(in: descriptor, arguments: arguments) else { return true }
    return isPossible(in: unsafeBitCast(type, to: UInt.self), depth: depth)
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
    static let structureArguments: UInt = 16
    static let structureFieldCount: UInt = 20
    static let enumArguments: UInt = 16
    static let tupleCount: UInt = 8
    static let tupleElements: UInt = 24
    static let existentialFlags: UInt = 8
    static let holdsAnything: UInt32 = 1 << 31
  }
}
