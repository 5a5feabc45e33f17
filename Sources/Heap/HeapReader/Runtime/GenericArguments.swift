import MemlabHeapModel
import MemlabRuntimeABI

/// The arguments that a generic type's metadata keeps.
enum GenericArguments {
  /// Whether what stands for the arguments of a type is metadata of types, so that the runtime can
  /// be asked for what depends on them.
  ///
  /// - Parameters:
  ///   - arguments: where they begin.
  ///   - descriptor: the descriptor of a class, a structure or an enumeration.
  static func areTypes(
    at arguments: UInt, of descriptor: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    guard let header = try header(of: descriptor, memory) else { return false }
    let constants = try memory.image(at: header, count: abi.generics.parameters)
    guard let word = constants.uint32(at: header &+ abi.generics.counts) else { return false }
    let count = UInt(word & 0xffff)
    let keys = UInt(constants.uint32(at: header &+ abi.generics.keys) ?? 0) & 0xffff
    guard count > 0, count <= 64, keys <= 256 else { return false }
    var next = arguments
    for index in 0..<count {
      guard let parameter = constants.byte(at: header &+ abi.generics.parameters &+ index) else {
        return false
      }
      guard UInt32(parameter) >> abi.generics.keyBit & 1 == 1 else { continue }
      // Of a parameter pack, or a value, nothing is known that could be checked.
      let isType = UInt32(parameter) & ((1 << abi.generics.kindBits) - 1) == 0
      guard isType else { return true }
      guard memory.isType(try memory.word(next)) else { return false }
      next = next &+ 8
    }
    return try areWitnessTables(from: next, to: arguments &+ keys * 8, memory)
  }

  // The tables of the conformances follow the types. Each begins with the address of a descriptor.
  private static func areWitnessTables(
    from first: UInt, to end: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    var place = first
    while place < end {
      let table = try memory.word(place)
      _ = try memory.image(at: memory.word(table), count: 4)
      place = place &+ 8
    }
    return true
  }

  // It stands behind what every descriptor of the kind has.
  private static func header(
    of descriptor: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> UInt? {
    let kind = try memory.uint32(descriptor) & abi.classes.kindBits
    if kind == abi.classes.kind { return descriptor &+ abi.classes.descriptorSize }
    let isValue = kind == abi.type.structureKind || kind == abi.type.enumerationKind
    return isValue ? descriptor &+ abi.type.descriptorSize : nil
  }
}
