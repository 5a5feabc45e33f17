import MemlabHeapModel

/// Climbs from some objects to everything that holds them.
struct HolderMapBuilder {
  private let survey: Survey
  private let builder: ChainBuilder
  private let isGlue: (HeapNode) -> Bool
  // The references to each block, those crossed out not included.
  private let references: BackReferences
  private let variables: [Int: [FoundRoot]]

  /// A builder for what a snapshot found.
  ///
  /// - Parameter isGlue: what is left out because it is not in the source.
  init(survey: Survey, isGlue: @escaping (HeapNode) -> Bool) {
    self.survey = survey
    self.isGlue = isGlue
    builder = ChainBuilder(survey: survey)
    variables = Dictionary(grouping: survey.roots.filter { $0.place.variable != nil }, by: \.block)
    references = BackReferences(along: survey.edges, among: survey.blocks.count)
  }

  /// The references to a block, and who holds them, the oldest first.
  private func incoming(_ block: Int) -> [(holder: Int, edge: Int)] {
    let found = references[block].reversed().map { (holder: survey.edges.holder(of: $0), edge: $0) }
    return found.map { survey.blocks.serial($0.holder) }.placesInOrder.map { found[$0] }
  }

  /// The map of all live instances of some classes.
  func map(of types: Set<String>) -> HolderMap {
    var map = HolderMap()
    var known: [Origin: Int] = [:]
    var queue = survey.blocks.byAge(survey.instances(of: types))
    func add(_ origin: Origin, isWanted: Bool) {
      known[origin] = map.places.count
      map.places.append(place(origin, isWanted: isWanted))
    }
    for block in queue { add(.block(block), isWanted: true) }
    var next = 0
    while next < queue.count {
      let block = queue[next]
      next += 1
      guard let held = known[.block(block)], !map.places[held].isRoot else { continue }
      var passed: Set<Int> = [block]
      for way in ways(to: block, leadingTo: builder.node(block), passing: &passed) {
        if known[way.origin] == nil {
          if case .block(let holder) = way.origin { queue.append(holder) }
          add(way.origin, isWanted: false)
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
  private func ways(
    to block: Int, leadingTo target: HeapNode, passing passed: inout Set<Int>, depth: Int = 0
  ) -> [Way] {
    var found = variables[block, default: []].map { root in
      let link = builder.variable(at: root.place.variable ?? 0).link(to: target)
      let name = link.name ?? "without a name"
      return Way(origin: .global(name), link: link, holder: .global(name))
    }
    for (holder, edge) in incoming(block) {
      let link = builder.link(edge, of: holder, to: target)
      if isShown(holder) {
        let isNamed = [.instance, .task].contains(survey.kinds[holder])
        let named = isNamed ? Holder(builder.node(holder), [link]) : nil
        found.append(Way(origin: .block(holder), link: link, holder: named))
        continue
      }
      // A list of boxes may be longer than the stack is deep.
      guard depth < 1_000, passed.insert(holder).inserted else { continue }
      // A property has a name, which says more than how the buffer in it refers to its elements.
      found += ways(to: holder, leadingTo: target, passing: &passed, depth: depth + 1).map { way in
        way.isOfProperty ? way : Way(origin: way.origin, link: link, holder: way.holder)
      }
    }
    return found
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
    !references.isHeld(block) && variables[block] == nil
  }

  private func place(_ origin: Origin, isWanted: Bool) -> HolderMap.Place {
    switch origin {
    case .global(let name):
      return HolderMap.Place(
        node: HeapNode(kind: .global, name: name), serial: 0, isRoot: true, account: nil)
    case .block(let block):
      let isTask = survey.tasks[block].map { !$0.isFinished } ?? false
      return HolderMap.Place(
        node: builder.node(block), serial: survey.blocks.serial(block),
        isRoot: isTask || survey.variables[block] != nil,
        account: isWanted ? account(of: block) : nil)
    }
  }

  private func account(of block: Int) -> RetainAccount {
    let named = references[block].count { survey.variables[survey.edges.holder(of: $0)] != nil }
    return RetainAccount(
      referencesFound: Int(survey.check.found[block]) - named, namedRoots: named,
      retainCount: survey.check.retainCount(of: block))
  }
}
