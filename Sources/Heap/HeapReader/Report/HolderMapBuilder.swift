import MemlabHeapModel

/// Climbs from some objects to everything that holds them.
struct HolderMapBuilder {
  private let survey: Survey
  private let builder: ChainBuilder
  private let isGlue: (HeapNode) -> Bool
  // The references to each block, those crossed out not included.
  private let incoming: [Int: [Incoming]]
  private let variables: [Int: [FoundRoot]]

  private struct Incoming {
    let holder: Int
    let edge: Int
  }

  /// A builder for what a snapshot found.
  ///
  /// - Parameter isGlue: what is left out because it is not in the source.
  init(survey: Survey, isGlue: @escaping (HeapNode) -> Bool) {
    self.survey = survey
    self.isGlue = isGlue
    builder = ChainBuilder(survey: survey)
    variables = Dictionary(grouping: survey.roots.filter(\.place.isVariable), by: \.block)
    var incoming: [Int: [Incoming]] = [:]
    for holder in 0..<survey.blocks.count {
      for edge in survey.edges.edges(of: holder) where !survey.edges.isStale(edge) {
        incoming[survey.edges.target(edge), default: []]
          .append(Incoming(holder: holder, edge: edge))
      }
    }
    self.incoming = incoming.mapValues { references in
      references.sorted {
        (survey.blocks.serial($0.holder), $0.edge) < (survey.blocks.serial($1.holder), $1.edge)
      }
    }
  }

  /// The map of all live instances of some classes.
  func map(of types: Set<String>) -> HolderMap {
    var map = HolderMap()
    var known: [Origin: Int] = [:]
    var queue = survey.instances(of: types)
      .sorted { survey.blocks.serial($0) < survey.blocks.serial($1) }
    for block in queue { map.add(place(block, isWanted: true), .block(block), to: &known) }
    var next = 0
    while next < queue.count {
      let block = queue[next]
      next += 1
      guard let held = known[.block(block)], !map.places[held].isRoot else { continue }
      for way in ways(to: block) {
        if known[way.origin] == nil {
          if case .block(let holder) = way.origin { queue.append(holder) }
          map.add(place(way.origin), way.origin, to: &known)
        }
        guard let from = known[way.origin] else { continue }
        map.references.append(
          HolderMap.Reference(from: from, to: held, link: way.link, holder: way.holder))
      }
    }
    return map
  }

  /// Where a reference comes from.
  private enum Origin: Hashable {
    case block(Int)
    case global(String)
  }

  private struct Way {
    let origin: Origin
    let link: RetainChain.Link
    let holder: Holder?

    var isOfProperty: Bool {
      switch holder {
      case .field, .global, .variable: true
      default: false
      }
    }
  }

  /// The ways to a block from the nearest places that a reader knows.
  private func ways(to block: Int) -> [Way] {
    var passed: Set<Int> = [block]
    return ways(to: block, leadingTo: builder.node(block), passing: &passed)
  }

  private func ways(
    to block: Int, leadingTo target: HeapNode, passing passed: inout Set<Int>
  ) -> [Way] {
    var found = variables[block, default: []].map { way(from: $0, to: target) }
    for reference in incoming[block, default: []] {
      let holder = reference.holder
      let link = builder.link(reference.edge, of: holder, to: target)
      if isShown(holder) {
        found.append(Way(origin: .block(holder), link: link, holder: self.holder(holder, link)))
        continue
      }
      guard passed.insert(holder).inserted else { continue }
      // A property has a name, which says more than how the buffer in it refers to its elements.
      found += ways(to: holder, leadingTo: target, passing: &passed).map { way in
        way.isOfProperty ? way : Way(origin: way.origin, link: link, holder: way.holder)
      }
    }
    return found
  }

  private func way(from root: FoundRoot, to target: HeapNode) -> Way {
    let link = builder.globalLink(root, to: target)
    let name = link.name ?? "without a name"
    return Way(origin: .global(name), link: link, holder: .global(name))
  }

  // What nothing holds is shown whatever it is: a reader must see where a way ends.
  private func isShown(_ block: Int) -> Bool {
    if survey.variables[block] != nil { return true }
    switch survey.kinds[block] {
    case .instance, .task, .error: return true
    case .context:
      let node = builder.node(block)
      return !node.name.isEmpty && !isGlue(node) || isUnheld(block)
    default: return isUnheld(block)
    }
  }

  private func isUnheld(_ block: Int) -> Bool {
    incoming[block, default: []].isEmpty && variables[block] == nil
  }

  private func holder(_ block: Int, _ link: RetainChain.Link) -> Holder? {
    switch survey.kinds[block] {
    case .instance, .task: Holder(builder.node(block), [link])
    default: nil
    }
  }

  private func place(_ origin: Origin) -> HolderMap.Place {
    switch origin {
    case .block(let block): place(block, isWanted: false)
    case .global(let name):
      HolderMap.Place(
        node: HeapNode(kind: .global, name: name), serial: 0, isRoot: true, account: nil)
    }
  }

  private func place(_ block: Int, isWanted: Bool) -> HolderMap.Place {
    let isTask = survey.tasks[block].map { !$0.isFinished } ?? false
    return HolderMap.Place(
      node: builder.node(block), serial: survey.blocks.serial(block),
      isRoot: isTask || survey.variables[block] != nil,
      account: isWanted ? account(of: block) : nil)
  }

  private func account(of block: Int) -> RetainAccount {
    let named = incoming[block, default: []].count { survey.variables[$0.holder] != nil }
    return RetainAccount(
      referencesFound: Int(survey.check.found[block]) - named, namedRoots: named,
      retainCount: survey.check.retainCount(of: block))
  }
}

extension HolderMap {
  fileprivate mutating func add<Origin: Hashable>(
    _ place: Place, _ origin: Origin, to known: inout [Origin: Int]
  ) {
    known[origin] = places.count
    places.append(place)
  }
}
