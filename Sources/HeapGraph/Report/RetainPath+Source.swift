import RuntimeABI

extension RetainPath {
  /// The steps as the source has them: an array is a property with elements there, and a block of
  /// its own on the heap, so the way into it and the way on become one. Blocks of a C library's,
  /// which have no names, are one place.
  ///
  /// - Parameter isGlue: what is to be passed over, for it does not stand in the source. What is
  ///   behind it stands there where it would.
  public func stepsInSource(without isGlue: (HeapNode) -> Bool) -> [RetainStep] {
    var found: [RetainStep] = []
    var array: String?
    var glued: RetainEdge?
    for (index, step) in steps.enumerated() {
      let step = step.standing(where: glued)
      glued = isGlue(step.node) && step.edge.name != nil ? step.edge : nil
      if isGlue(step.node) { continue }
      let isBuffer = step.node.kind == .block(.buffer)
      let name = array.map { "\($0)[\(step.edge.name ?? "…")]" } ?? step.edge.name
      array = isBuffer ? name ?? "an array" : nil
      let isPassed = isBuffer || step.node.isMemory && found.last?.node.isMemory == true
      guard !isPassed || index == steps.count - 1 else { continue }
      found.append(step)
      found[found.count - 1].edge.name = name
    }
    return found
  }
}

extension RetainStep {
  // As if what it leads to stood where something else does that only leads on to it. An object is
  // captured there by a closure that has no block of its own, which stands there instead.
  fileprivate func standing(where place: RetainEdge?) -> RetainStep {
    guard let place, edge.name == nil else { return self }
    var step = self
    step.edge.name = place.name
    if node.kind == .block(.context) { step.edge.kind = place.kind }
    return step
  }
}

extension HeapNode {
  fileprivate var isMemory: Bool { kind == .block(.memory) }

  /// Whether it is a closure that the compiler makes to fit another one to its use.
  public var isThunk: Bool {
    kind == .block(.context) && name.contains("\(abi.glue.reabstraction)".dropLast())
  }

  /// The name for a reader: a type without its module, a closure, a task; or else the kind.
  public var shortName: String {
    switch kind {
    case .block(.instance), .block(.buffer), .block(.error): TypeName.short(name)
    case .block(let kind) where name.isEmpty: kind.rawValue
    default: name
    }
  }
}
