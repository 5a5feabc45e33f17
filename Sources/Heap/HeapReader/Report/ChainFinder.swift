package import MemlabHeapModel

extension HeapSnapshot {
  /// Finds out why an object is alive, as one of several users of the process sees it: one test among
  /// others. Nil for what isn't on the recorded heap.
  ///
  /// A task that is older than the code in question, or that runs another test, may use what a global
  /// variable keeps. The chain from such a task may be the shorter one, but does not explain a leak
  /// of this test. So such tasks come last.
  ///
  /// - Parameters:
  ///   - begin: when what is asked about began; nil when no task is too old.
  ///   - strangers: the addresses of tasks that have nothing to do with it, whatever their age.
  package func chainFinder(
    since begin: HeapMoment?, besides strangers: Set<UInt>
  ) -> (AnyObject) -> RetainChain? {
    // What a finished one has left is a global variable's as any other object.
    let bystanders = survey.bystanders(olderThan: begin?.serial ?? 0, and: strangers)
      .filter { survey.tasks[$0]?.isFinished == false }
    let roots = survey.roots.filter { !bystanders.contains($0.block) }
    let others = survey.roots.filter { bystanders.contains($0.block) && $0.place.variable == nil }
    let reach = Reach(edges: survey.edges, in: survey.blocks, roots: roots, others: others) {
      // A large block that was freed after the look is not there any more.
      survey.kinds[$0] == .memory
        && !survey.segments.isDispatch(MemoryCopy.pair(at: survey.blocks.address($0))?.first)
    }
    let builder = ChainBuilder(
      survey: survey, locatesClosures: true, showsRings: true, reach: reach)
    return { survey.block(of: $0).map(builder.chain) }
  }

  /// What global variables lead to. Takes a walk through the heap.
  package var reachOfGlobals: GlobalReach {
    let values = survey.roots.filter { $0.place.variable != nil }.map(\.block)
    return GlobalReach(survey: survey, isReached: survey.reached(from: values), values: Set(values))
  }
}

/// What global variables lead to, whether or not anything else leads to it too.
///
/// A ``RetainChain`` is the shortest one: for an object that a task uses and a global variable keeps,
/// it begins at the task.
package struct GlobalReach: Sendable {
  fileprivate let survey: Survey
  fileprivate let isReached: [Bool]
  fileprivate let values: Set<Int>

  /// Whether a variable leads to an object.
  package func leads(to object: AnyObject) -> Bool {
    survey.block(of: object).map { isReached[$0] } ?? false
  }

  /// Whether an object is a variable's value itself.
  package func isValue(_ object: AnyObject) -> Bool {
    survey.block(of: object).map(values.contains) ?? false
  }

  /// Whether an object is no memory that was allocated, but part of the program or of a library.
  package func isConstant(_ object: AnyObject) -> Bool {
    survey.segments.segment(at: address(of: object)) != nil
  }
}

extension FoundRoot.Place {
  /// The address of the word of a global variable that it is; nil for anything else.
  var variable: UInt? { if case .global(let address) = self { address } else { nil } }
}

extension Survey {
  /// The tasks that have nothing to do with what began at some time: older ones, those of the library
  /// that runs tests, those that only end the sleep of others, some others, and the children of all of
  /// these.
  package func bystanders(olderThan begin: UInt64, and strangers: Set<UInt>) -> Set<Int> {
    var (found, addresses) = (Set<Int>(), Set<UInt>())
    // A parent has a lower number than its child.
    for (block, task) in tasks.sorted(by: { $0.value.id < $1.value.id })
    where blocks.serial(block) < begin || strangers.contains(task.address)
      || task.isOfTestLibrary || task.isAlarm || addresses.contains(task.parent)
    {
      found.insert(block)
      addresses.insert(task.address)
    }
    return found
  }

  /// The live instances of some classes.
  func instances(of types: Set<String>) -> [Int] {
    kinds.instances(of: kinds.instances(of: types, among: layouts))
  }

  /// The groups of blocks that hold each other, those of plain memory apart.
  package var objectCycles: [[Int]] { reach.cycles.filter(hasObject) }

  private func hasObject(_ group: [Int]) -> Bool { group.contains { kinds[$0] == .instance } }

  /// The same, and the groups of closures that hold each other, with the objects that nothing but such a
  /// group leads to.
  package var cyclesWithObjects: [[Int]] {
    reach.cycles.map { ring in
      let held = ring.allSatisfy { kinds[$0] == .context } ? ring.flatMap(edges.targets(of:)) : []
      return ring + held.filter { kinds[$0] == .instance && reach.origin(of: $0) == .cycle }
    }.filter(hasObject)
  }

  /// The block of an object; nil when it isn't on the recorded heap.
  package func block(of object: AnyObject) -> Int? { block(at: address(of: object)) }

  /// The block that begins at an address.
  package func block(at address: UInt) -> Int? {
    let block = blocks.index(of: address)
    return block < 0 ? nil : block
  }

  /// The blocks that only some instances and tasks keep alive, those included.
  func blocksLost(with types: Set<String>, tasks names: Set<String>) -> [Int] {
    let leaked = tasks.filter { !$0.value.isFinished && names.contains($0.value.name ?? "") }.keys
    let survivors = Set(instances(of: types)).union(leaked)
    let others = (roots.map(\.block) + variables.keys).filter { !survivors.contains($0) }
    var isKept = [Bool](repeating: false, count: kinds.count)
    _ = edges.spread(from: others, marking: &isKept, stoppingAt: survivors)
    return edges.spread(from: survivors.sorted(), marking: &isKept)
  }

  /// Whether each block is one of some blocks, or is held by what they lead to.
  package func reached(from start: [Int]) -> [Bool] {
    var isReached = [Bool](repeating: false, count: kinds.count)
    _ = edges.spread(from: start, marking: &isReached)
    return isReached
  }
}
