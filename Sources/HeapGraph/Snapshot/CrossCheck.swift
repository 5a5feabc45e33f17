/// Compares the references found with the runtime's own counts, and crosses out what is too much.
///
/// A frame's slots keep what dead variables referred to, and memory of unknown use may hold an
/// address that means nothing any more. When more references to an object were found than it has,
/// the least trustworthy are taken for such leftovers: first slots of frames, then unknown words,
/// then words of global variables, among which there are numbers and what pads a smaller value.
/// Of several, those that come later in memory go first.
struct CrossCheck {
  /// The strong count of each block that has one; -1 elsewhere.
  private(set) var counts: ContiguousArray<Int32>
  /// The references found, those crossed out not included.
  private(set) var found: ContiguousArray<Int32>

  /// Compares, marks what is too much as ``EdgeKind/stale``, and takes away globals that are.
  init(heap: Classifier, edges: inout EdgeList, globals: inout [FoundRoot]) {
    counts = ContiguousArray(repeating: -1, count: heap.blocks.count)
    found = ContiguousArray(repeating: 0, count: heap.blocks.count)
    for block in 0..<heap.blocks.count where heap.kinds[block].isCounted {
      let count = ReferenceCount.strong(of: heap.blocks.address(block)) {
        let table = heap.blocks.index(of: $0)
        return table >= 0 && heap.blocks.size(table) >= 24
      }
      counts[block] = count.map { Int32(clamping: $0) } ?? -1
    }
    for edge in 0..<edges.count { found[Int(edges.targets[edge])] += 1 }
    for root in globals { found[root.block] += 1 }
    crossOut(.frame, in: &edges)
    crossOut(.word, in: &edges)
    crossOut(&globals)
  }

  /// Whether a block may have more references than were found. When all are accounted for, a word
  /// on a stack is a leftover, or borrowed from the holder that was found.
  func leavesRoom(for block: Int) -> Bool { counts[block] < 0 || found[block] < counts[block] }

  private mutating func crossOut(_ globals: inout [FoundRoot]) {
    for index in globals.indices.reversed() {
      let block = globals[index].block
      guard counts[block] >= 0, found[block] > counts[block] else { continue }
      globals.remove(at: index)
      found[block] -= 1
    }
  }

  private mutating func crossOut(_ kind: EdgeKind, in edges: inout EdgeList) {
    guard edges.has(kind) else { return }
    for edge in (0..<edges.count).reversed() where edges.kinds[edge] == kind {
      let target = Int(edges.targets[edge])
      guard counts[target] >= 0, found[target] > counts[target] else { continue }
      edges.kinds[edge] = .stale
      found[target] -= 1
    }
  }
}

extension HeapBlockKind {
  /// Whether the runtime keeps a strong count for blocks of this kind.
  var isCounted: Bool {
    switch self {
    case .instance, .buffer, .context, .error, .task: true
    case .taskSlab, .sideTable, .metadata, .memory: false
    }
  }
}
