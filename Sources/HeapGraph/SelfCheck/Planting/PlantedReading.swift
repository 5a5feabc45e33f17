import RuntimeABI

/// Looks for what was planted in a snapshot that is taken as every later one is.
struct PlantedReading {
  /// What was read.
  let survey: Survey

  /// Whether the snapshot shows a reference as it was planted.
  func shows(_ reference: PlantedReference) -> Bool {
    guard let holder = survey.block(at: reference.holder),
      let target = survey.block(at: reference.target)
    else { return false }
    let edges = survey.edges
    let isThere = edges.edges(of: holder).contains { edge in
      Int(edges.targets[edge]) == target && edges.kinds[edge].isKind(reference.kind)
    }
    guard isThere, !reference.isOnly || isOnlyReference(to: target) else { return false }
    guard let name = reference.name else { return true }
    return builder.link(from: holder, to: target).name == name
  }

  /// Whether a task is the root of an object, under its name.
  func task(_ name: String, isRootOf object: UInt) -> Bool {
    guard let block = survey.block(at: object) else { return false }
    let root = builder.chain(to: block).root
    return root.kind == .task && root.node.name == name
  }

  /// Whether a block is what it should be.
  func kind(at address: UInt) -> HeapBlockKind? {
    survey.block(at: address).map { survey.kinds[$0] }
  }

  private var builder: ChainBuilder { ChainBuilder(survey: survey, namesFunctions: false) }

  private func isOnlyReference(to block: Int) -> Bool {
    survey.check.found[block] == 1 && survey.check.retainCount(of: block) == 1
  }
}

extension EdgeKind {
  /// Whether a report calls a reference of this kind so.
  fileprivate func isKind(_ kind: RetainChain.Link.Kind) -> Bool {
    switch kind {
    case .field: self == .field
    case .element: self == .element
    case .capture: self == .capture
    case .body: self == .body
    case .result: self == .result
    case .frame: self == .frame
    default: false
    }
  }
}
