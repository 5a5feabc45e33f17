import MemlabHeapModel
import MemlabRuntimeABI

extension EdgeFinder {
  /// Adds the references in a value.
  ///
  /// - Parameters:
  ///   - offset: where the value begins in a block.
  ///   - region: the block.
  ///   - end: where it must end, whatever its bytes say.
  ///   - role: what of the block it is.
  mutating func scan(
    _ shape: ValueShape, at offset: UInt, of region: Region, _ end: UInt, _ role: ValueRole
  ) {
    for part in shape.parts {
      let start = offset + part.offset
      scan(
        region, from: start, to: min(start + part.size, end), kind: role.kind(part.ownership),
        ownership: part.ownership)
    }
    for choice in shape.choices { scan(choice, at: offset, of: region, end, role) }
  }

  /// The same for a part of a value that may be one of several things.
  mutating func scan(
    _ choice: ValueShape.Choice, at offset: UInt, of region: Region, _ end: UInt,
    _ role: ValueRole
  ) {
    let start = offset + choice.offset
    guard start < end else { return }
    switch choice.kind {
    case .payload(let tag, let payloads):
      guard let number = tag.number(at: region.start + start, in: region),
        payloads.indices.contains(number)
      else { return }
      scan(payloads[number], at: start, of: region, end, role)
    case .anything:
      guard start + abi.container.size <= end else { return }
      let shape = containers.shape(at: region.start + start, in: region, heap.memory)
      scan(shape, at: start, of: region, end, role)
    }
  }
}

/// What of a block a value is.
enum ValueRole {
  /// A property of an object.
  case field
  /// An element of a collection.
  case element
  /// What a closure has captured.
  case capture

  /// What a reference in it is.
  func kind(_ ownership: ReferenceOwnership) -> EdgeKind {
    let isMixed = ownership == .mixed
    return switch self {
    case .field: isMixed ? .mixedField : .field
    case .element: isMixed ? .mixedElement : .element
    case .capture: isMixed ? .mixedCapture : .capture
    }
  }
}
