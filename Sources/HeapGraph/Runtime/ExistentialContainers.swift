import RuntimeABI

/// Reads what is in an `Any`, or in an existential of a protocol that any type can conform to: three words
/// for the value or for a box with it, and the value's type.
struct ExistentialContainers {
  private var shapes: [UInt: ValueShape] = [:]

  /// Where the container at an address has references.
  ///
  /// - Parameter isKnown: whether so many bytes at an address can be read.
  mutating func shape(at address: UInt, isKnown: (UInt, UInt) -> Bool) -> ValueShape {
    let type = Memory.word(address + abi.container.type)
    if type == 0 { return ValueShape() }
    if let shape = shapes[type] { return shape }
    // Half of a container may be written yet.
    guard Self.isType(type, isKnown) else { return .throughout(.mixed, size: abi.container.type) }
    var shape = ValueShape()
    let isInline = ValueWitnesses(metadata: type).isInline
    shape.add(
      isInline ? ValueShape(of: type) : .throughout(.strong), at: 0,
      size: isInline ? abi.container.type : 8)
    shapes[type] = shape
    return shape
  }

  private static func isType(_ type: UInt, _ isKnown: (UInt, UInt) -> Bool) -> Bool {
    guard type & 7 == 0, isKnown(type &- abi.metadata.witnesses, abi.metadata.witnesses + 16) else {
      return false
    }
    let witnesses = Memory.word(type - abi.metadata.witnesses)
    guard witnesses & 7 == 0, isKnown(witnesses, abi.witness.enumTag) else {
      return witnesses == 0
    }
    switch Memory.word(type) {
    case abi.kind.structure, abi.kind.enumeration, abi.kind.optional:
      return isKnown(Memory.word(type + abi.type.descriptor), abi.type.fieldOffsets + 4)
    case let kind: return kind < abi.kind.context
    }
  }
}
