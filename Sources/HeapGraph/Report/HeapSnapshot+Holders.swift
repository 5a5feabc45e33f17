extension HeapSnapshot {
  /// Every strong reference that was found to the live instances of some classes.
  ///
  /// - Parameter types: qualified names, as in ``liveInstances``.
  /// - Returns: for each instance, the oldest first, a chain for each reference: why its holder is
  ///   alive, and then the instance. An instance that nothing recorded holds has no chain.
  public func holderPaths(to types: Set<String>) -> [[RetainPath]] {
    let builder = PathBuilder(survey: survey)
    return survey.instances(of: types)
      .sorted { survey.blocks.serial($0) < survey.blocks.serial($1) }
      .map(builder.holderPaths)
  }
}

extension PathBuilder {
  /// A chain for each strong reference to a block.
  fileprivate func holderPaths(to block: Int) -> [RetainPath] {
    let variables = survey.roots.contains { $0.block == block && $0.place.isVariable }
    let globals = variables ? outside(of: block, .global).map { [$0] } ?? [] : []
    return globals.map { chain([], to: block, .global, start: $0.0, first: $0.1) }
      + survey.holders(of: block).map { holder in
        let way = survey.reach.way(to: holder) + [block]
        return chain(way, to: block, root(of: way[0]), start: node(way[0]), first: nil)
      }
  }

  private func chain(
    _ way: [Int], to block: Int, _ root: RetainPath.Root, start: HeapNode, first: RetainEdge?
  ) -> RetainPath {
    let direct = first.map { [RetainStep(edge: $0, node: node(block))] } ?? []
    return RetainPath(
      type: survey.typeName(of: block) ?? "", root: root, start: start,
      steps: direct + zip(way, way.dropFirst()).suffix(Self.longest).map(step), omitted: 0,
      referencesFound: Int(survey.check.found[block]),
      retainCount: survey.check.retainCount(of: block), serial: survey.blocks.serial(block))
  }

  private func root(of block: Int) -> RetainPath.Root {
    switch survey.reach.roots[block]?.place {
    case .task: .task
    case .global: .global
    case .stack: .stack
    case nil: survey.reach.origins[block] == .cycle ? .cycle : .unknown
    }
  }
}

extension Survey {
  /// The blocks that hold a block, in order of age.
  fileprivate func holders(of block: Int) -> [Int] {
    kinds.indices.filter { holder in
      edges.edges(of: holder).contains { edge in
        Int(edges.targets[edge]) == block && edges.kinds[edge] != .stale
      }
    }.sorted { blocks.serial($0) < blocks.serial($1) }
  }
}
