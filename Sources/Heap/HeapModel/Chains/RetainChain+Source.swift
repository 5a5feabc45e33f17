extension RetainChain {
  /// The chain as the source has it: an array is a property with elements there, and a block of its
  /// own on the heap, so the link to it and the link from it become one. Blocks of a C library,
  /// which have no names, become one.
  ///
  /// - Parameter isGlue: what is left out because it is not in the source. What it leads to is named
  ///   as if it were in its place.
  package func asWritten(hiding isGlue: (HeapNode) -> Bool) -> RetainChain {
    var chain = self
    chain.links = folded(hiding: isGlue)
    return chain
  }

  /// The chain with names for a reader in place of qualified ones.
  package var named: RetainChain {
    var chain = self
    chain.type = TypeName.short(type)
    chain.root.node.name = root.node.readableName
    for index in links.indices { chain.links[index].target.name = links[index].target.readableName }
    return chain
  }

  private func folded(hiding isGlue: (HeapNode) -> Bool) -> [Link] {
    var found: [Link] = []
    var array: String?
    var glued: Link?
    for (index, link) in links.enumerated() {
      let link = link.inPlace(of: glued)
      glued = isGlue(link.target) && link.name != nil ? link : nil
      if isGlue(link.target) { continue }
      let isBuffer = link.target.kind == .block(.buffer)
      let name = array.map { "\($0)[\(link.name ?? "…")]" } ?? link.name
      array = isBuffer ? name ?? "an array" : nil
      let isPassed = isBuffer || link.target.isMemory && found.last?.target.isMemory == true
      guard !isPassed || index == links.count - 1 else { continue }
      found.append(link)
      found[found.count - 1].name = name
    }
    return found
  }
}

extension RetainChain.Link {
  // As if it were where glue is that leads on to it. An object there is captured by a closure that
  // has no block of its own, and the closure is named instead.
  fileprivate func inPlace(of glue: RetainChain.Link?) -> RetainChain.Link {
    guard let glue, name == nil else { return self }
    var link = self
    link.name = glue.name
    if target.kind == .block(.context) { link.kind = glue.kind }
    return link
  }
}

extension HeapNode {
  fileprivate var isMemory: Bool { kind == .block(.memory) }
}
