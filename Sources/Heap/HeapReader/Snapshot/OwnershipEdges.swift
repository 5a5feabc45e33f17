import MemlabHeapModel

/// Who holds what: the references that count, the roots, and the shortest ways from them.
struct OwnershipEdges {
  /// The references, with the leftovers crossed out.
  private(set) var edges: EdgeList
  /// The runtime's counts beside the references found.
  let check: CrossCheck
  /// Unfinished tasks and global variables that refer to blocks.
  let roots: [FoundRoot]
  /// Words of the calling thread's stack that refer to blocks.
  let stack: [FoundRoot]
  /// The shortest way to each block.
  let reach: Reach

  /// Finds out who holds what, as far as it is asked for.
  ///
  /// Looking through the globals takes longer than all the rest of a small heap. They can be left
  /// alone where nobody asks about a survivor and no objects hold each other: without the globals
  /// there are only more circles without a root, never fewer.
  init(finder: EdgeFinder, variables: [Int], scanningStack: Bool, tracing: HeapTracing) {
    let variables = variables.map { FoundRoot(block: $0, place: .variable) }
    if !tracing.asks(about: finder.heap) {
      self.init(finder, globals: [], variables, scanningStack)
      if !reach.cycles.contains(where: finder.heap.hasInstance) { return }
    }
    self.init(finder, globals: RootFinder.globals(finder.heap), variables, scanningStack)
  }

  private init(
    _ finder: EdgeFinder, globals: [FoundRoot], _ variables: [FoundRoot], _ scanningStack: Bool
  ) {
    edges = finder.edges
    var globals = globals
    let check = CrossCheck(
      heap: finder.heap, edges: &edges, globals: &globals, calls: finder.calls,
      unlikely: finder.unlikely)
    self.check = check
    let words = scanningStack ? RootFinder.stack(finder.heap) : []
    stack = words.filter { check.leavesRoom(for: $0.block) }
    roots = RootFinder.tasks(finder.tasks) + globals
    // A variable comes last: what a task or a global holds too outlives it.
    reach = Reach(
      edges: edges, blocks: finder.heap.blocks, roots: roots, others: variables, stack: stack)
  }

  /// The functions that stand before references in global variables, by the block referred to.
  var functionsInGlobals: [Int: UInt] {
    Dictionary(
      roots.compactMap { root in root.function.map { (root.block, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension HeapTracing {
  fileprivate func asks(about heap: Classifier) -> Bool {
    guard case .survivors(let types) = self else { return true }
    return heap.layouts.instances(of: types, among: heap.catalog.layouts).contains(true)
  }
}

extension Classifier {
  /// Whether any of some blocks is an instance of a class.
  func hasInstance(_ blocks: [Int]) -> Bool { blocks.contains { kinds[$0] == .instance } }
}
