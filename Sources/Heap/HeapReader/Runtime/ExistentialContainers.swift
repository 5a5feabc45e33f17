import MemlabHeapModel
import MemlabRuntimeABI

/// Reads what is in an `Any`, or in an existential of a protocol that any type can conform to: three
/// words for the value or for a box with it, and the value's type.
struct ExistentialContainers {
  private var shapes: [UInt: ValueShape] = [:]

  /// Where the container at an address has references.
  mutating func shape(
    at address: UInt, in region: Region, _ memory: ProcessMemory
  ) -> ValueShape {
    guard let type = region.word(at: address + abi.container.type), type != 0 else {
      return ValueShape()
    }
    if let shape = shapes[type] { return shape }
    // The container may be only partly written.
    guard let witnesses = try? ValueWitnesses(metadata: type, memory) else {
      return .throughout(.mixed, size: abi.container.type)
    }
    var shape = ValueShape()
    if witnesses.isInline {
      shape.add(ValueShape(of: type, memory), at: 0, size: abi.container.type)
    } else {
      shape.add(.throughout(.strong), at: 0, size: 8)
    }
    shapes[type] = shape
    return shape
  }
}
