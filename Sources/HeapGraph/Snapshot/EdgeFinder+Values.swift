import RuntimeABI

extension EdgeFinder {
  /// Adds the references in a value.
  ///
  /// - Parameters:
  ///   - offset: where the value begins in a block.
  ///   - end: where it must end, whatever its bytes say.
  ///   - holding: what of the block it is.
  mutating func scan(
    _ shape: ValueShape, at offset: UInt, of block: UInt, _ end: UInt, _ holding: ValueHolder
  ) {
    for part in shape.parts {
      let start = offset + part.offset
      scan(
        block, from: start, to: min(start + part.size, end), kind: holding.kind(part.ownership),
        ownership: part.ownership)
    }
    for choice in shape.choices { scan(choice, at: offset, of: block, end, holding) }
  }

  /// The same for a part of a value that may be one of several things.
  mutating func scan(
    _ choice: ValueShape.Choice, at offset: UInt, of block: UInt, _ end: UInt,
    _ holding: ValueHolder
  ) {
    let start = offset + choice.offset
    guard start < end else { return }
    switch choice.kind {
    case .payload(let tag, let payloads):
      let number = tag.number(at: block + start)
      guard payloads.indices.contains(number) else { return }
      scan(payloads[number], at: start, of: block, end, holding)
    case .anything:
      guard start + abi.container.size <= end else { return }
      let shape = containers.shape(at: block + start) { [heap] in heap.isKnown($0, $1) }
      scan(shape, at: start, of: block, end, holding)
    }
  }
}

/// What of a block a value is.
enum ValueHolder {
  case field, element, capture

  /// What a reference in it is.
  func kind(_ ownership: MangledName.Ownership) -> EdgeKind {
    let isMixed = ownership == .mixed
    return switch self {
    case .field: isMixed ? .mixedField : .field
    case .element: isMixed ? .mixedElement : .element
    case .capture: isMixed ? .mixedCapture : .capture
    }
  }
}

extension Classifier {
  /// Whether some bytes are in one recorded block or in a loaded image.
  func isKnown(_ address: UInt, _ count: UInt) -> Bool {
    let block = blocks.index(containing: address)
    guard block >= 0 else { return surroundings.segments.contains(address, count: count) }
    return address + count <= blocks.address(block) + blocks.size(block)
  }
}
