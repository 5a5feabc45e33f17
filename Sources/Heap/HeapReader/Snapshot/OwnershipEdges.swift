import MemlabHeapModel

/// Who holds what: the references that count, the roots, and the shortest ways from them.
struct OwnershipEdges {
  /// The references, with the leftovers crossed out.
  private(set) var edges: EdgeList
  /// The runtime's counts beside the references found.
  let check: CrossCheck
  /// Unfinished tasks and global variables that refer to blocks.
  let roots: [FoundRoot]
  /// The shortest way to each block.
  let reach: Reach

  /// Finds out who holds what, as far as it is asked for.
  ///
  /// Looking through the globals takes longer than all the rest of a small heap. They can be left
  /// alone where nobody asks about a survivor and no objects hold each other: without the globals
  /// there are only more circles without a root, never fewer.
  init(finder: inout EdgeFinder, details: HeapDetails, variables: [Int], survivors: Set<String>?) {
    let variables = variables.map { FoundRoot(block: $0, place: .variable) }
    // The runtime keeps unfinished tasks alive until they return. The oldest first: so of two that hold
    // the same object it is always the same one that is named.
    let tasks = details.tasks.filter { !$0.value.isFinished }.sorted { $0.value.id < $1.value.id }
      .map { FoundRoot(block: $0.key, place: .task) }
    let kinds = finder.heap.kinds
    if let survivors,
      !kinds.instances(of: survivors, among: details.catalog.layouts).contains(true)
    {
      self.init(finder, finder.edges, globals: [], tasks, variables)
      if !reach.cycles.joined().contains(where: { kinds[$0] == .instance }) { return }
    }
    let globals = finder.heap.globalRoots()
    let edges = finder.takeEdges()
    self.init(finder, edges, globals: globals, tasks, variables)
  }

  private init(
    _ finder: EdgeFinder, _ edges: consuming EdgeList, globals: [FoundRoot],
    _ tasks: [FoundRoot], _ variables: [FoundRoot]
  ) {
    var globals = globals
    check = CrossCheck(finder: finder, edges: &edges, globals: &globals)
    self.edges = edges
    roots = tasks + globals
    // A variable comes last: what a task or a global holds too outlives it.
    let heap = finder.heap
    reach = Reach(edges: edges, in: heap.blocks, roots: roots, others: variables) { block in
      heap.kinds[block] == .memory
        && !heap.segments.isDispatch(heap.blocks.region(block).word(at: heap.blocks.address(block)))
    }
  }
}

extension BlockTypes {
  /// Which layouts, of those that these blocks have, are instances of some classes.
  func instances(of types: Set<String>, among layouts: [TypeLayout]) -> [Bool] {
    if types.isEmpty { return [Bool](repeating: false, count: layouts.count) }
    // The catalogue of a process has hundreds of types, the heap of a trial has a dozen: only these are asked
    // for their names.
    return zip(layouts, instances(ofEach: layouts.count)).map { layout, count in
      count > 0 && types.contains(layout.name)
    }
  }
}
