import MemlabHeapModel

/// Compares the references found with the runtime's own counts, and crosses out what is too much.
///
/// A frame's slots keep what dead variables referred to, and memory of unknown use may hold an
/// address that means nothing any more. When more references to an object were found than it has,
/// the least trustworthy count as leftovers, in this order:
///
/// 1. words of memory to which no reference was found, such as a table of the runtime's own, or only
///    references from such memory, such as the calls that libdispatch keeps in a list of each thread's,
///    to use their memory again; and words among the elements of a `ManagedBuffer` whose type has no
///    references, such as bytes;
/// 2. slots of frames;
/// 3. other words of unknown use, those first that stand behind no function: one behind a function is
///    the context that it is called with;
/// 4. as many places of a type with `unowned` references as the object has of those;
/// 5. an object's reference to itself, at a place whose type the compiler says nothing of;
/// 6. words of global variables: among them are numbers, and the padding of smaller values;
/// 7. other places of a type of which the compiler says nothing, such as a `Mutex`: among their words
///    are numbers and padding too.
///
/// Of several in one group, the one whose holder was made later goes first: unlike addresses, that is the
/// same in every run.
package struct CrossCheck: Sendable {
  private let blocks: BlockList
  // One more than the strong count of each block that has one, zero elsewhere.
  private let counts: SmallCounts
  /// The references found, those crossed out not included.
  package private(set) var found: SmallCounts

  /// Compares, marks what is too much as ``EdgeKind/stale``, and takes away globals that are.
  ///
  /// - Parameters:
  ///   - finder: what has found the references.
  ///   - edges: the references.
  ///   - globals: the global variables that refer to blocks.
  package init(finder: EdgeFinder, edges: inout EdgeList, globals: inout [FoundRoot]) {
    let heap = finder.heap
    (blocks, counts) = (heap.blocks, heap.strong)
    found = SmallCounts(blocks: heap.blocks.count)
    found.count(edges)
    for root in globals { found[root.block] += 1 }
    crossOutUnheld(in: &edges, globals, heap)
    crossOut(.word, among: finder.unlikely.joined(), in: &edges)
    crossOut([.frame], in: &edges)
    crossOut([.word], in: &edges) { _, edge in !finder.calls.contains(edge) }
    crossOut([.word], in: &edges)
    var borrowed: [Int: Int] = [:]
    crossOut(EdgeKind.mixed, in: &edges) { edges, edge in
      let target = edges.target(edge)
      let unowned = borrowed[target] ?? heap.counts.unowned(of: heap.blocks.region(target))
      borrowed[target] = max(0, unowned - 1)
      return unowned > 0
    }
    crossOut(EdgeKind.mixed, in: &edges) { edges, edge in
      edges.edges(of: edges.target(edge)).contains(edge)
    }
    for index in globals.indices.reversed() where hasTooMany(globals[index].block) {
      found[globals[index].block] -= 1
      globals.remove(at: index)
    }
    crossOut(EdgeKind.mixed, in: &edges)
  }

  /// The strong count of a block; nil where the runtime keeps none.
  package func retainCount(of block: Int) -> Int? {
    let count = counts[block]
    return count == 0 ? nil : Int(count) - 1
  }

  /// Whether a block may have more references than were found. When all are accounted for, a word
  /// on a stack is a leftover, or borrowed from the holder that was found.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - others: How many more are known.
  package func leavesRoom(for block: Int, beside others: Int32 = 0) -> Bool {
    let count = counts[block]
    return count == 0 || found[block] + others < count - 1
  }

  /// Whether more references to a block were found than it has.
  private func hasTooMany(_ block: Int) -> Bool {
    let count = counts[block]
    return count > 0 && found[block] > count - 1
  }

  private mutating func crossOutUnheld(
    in edges: inout EdgeList, _ globals: [FoundRoot], _ heap: Classifier
  ) {
    guard edges.has(.word), hasTooMany(inWordsOf: edges) else { return }
    let isHeld = heap.heldMemory(edges, globals)
    let unheld = (0..<heap.blocks.count).lazy.filter { heap.isMemory($0) && !isHeld[$0] }
    crossOut(.word, among: unheld.flatMap(edges.edges), in: &edges)
  }

  private func hasTooMany(inWordsOf edges: EdgeList) -> Bool {
    (0..<edges.count).contains { edges.kind($0) == .word && hasTooMany(edges.target($0)) }
  }

  /// Crosses out references of some kinds where there are too many, those of later holders first.
  ///
  /// - Parameter isLeftover: asked for each that is one too many.
  private mutating func crossOut(
    _ kinds: [EdgeKind], in edges: inout EdgeList,
    where isLeftover: (EdgeList, Int) -> Bool = { _, _ in true }
  ) { for kind in kinds { crossOut(kind, among: 0..<edges.count, in: &edges, where: isLeftover) } }

  private mutating func crossOut(
    _ kind: EdgeKind, among candidates: some Sequence<Int>, in edges: inout EdgeList,
    where isLeftover: (EdgeList, Int) -> Bool = { _, _ in true }
  ) {
    guard edges.has(kind) else { return }
    let tooMany = candidates.filter { edges.kind($0) == kind && hasTooMany(edges.target($0)) }
    let ages = tooMany.map { blocks.serial(edges.holder(of: $0)) }
    for edge in ages.placesInOrder.reversed().map({ tooMany[$0] }) {
      let target = edges.target(edge)
      guard hasTooMany(target), isLeftover(edges, edge) else { continue }
      edges.crossOut(edge)
      found[target] -= 1
    }
  }
}

extension Classifier {
  fileprivate func isMemory(_ block: Int) -> Bool { kinds[block] == .memory }

  /// Which memory of unknown use a global variable leads to, or a block of another kind.
  fileprivate func heldMemory(_ edges: EdgeList, _ globals: [FoundRoot]) -> [Bool] {
    var isHeld = [Bool](repeating: false, count: blocks.count)
    var queue: [Int] = []
    func add(_ block: Int) {
      guard isMemory(block), !isHeld[block] else { return }
      isHeld[block] = true
      queue.append(block)
    }
    for root in globals { add(root.block) }
    for block in 0..<blocks.count where !isMemory(block) {
      for edge in edges.edges(of: block) where !edges.isStale(edge) { add(edges.target(edge)) }
    }
    while let block = queue.popLast() {
      for edge in edges.edges(of: block) { add(edges.target(edge)) }
    }
    return isHeld
  }
}
