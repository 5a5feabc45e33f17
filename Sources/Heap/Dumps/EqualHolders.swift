package import MemlabHeapModel

/// How the blocks of a dump are held, with one number for all that are held alike: by the same task
/// or variable, through the same properties of the same classes. So are rings that go through the same
/// properties.
///
/// A list whose members hold each other counts as one step, whatever its length.
package struct EqualHolders: Sendable {
  /// The number of each block.
  package private(set) var ids: ContiguousArray<Int32>
  /// The blocks, each after the one that it was reached from.
  let order: ContiguousArray<Int32>
  /// A number for the way of all blocks with a number, the same in every dump that this process reads.
  private(set) var keys: [Int] = []
  private var steps: [Step] = []

  private struct Step: Hashable {
    var parent: Int32
    var root: String
    var thing: UInt32
    var label: UInt32
  }

  private static let noLabel = UInt32.max
  // Below this depth, a block gets the number of the block that holds it.
  private static let deepest = 64

  /// Finds out how each block is held.
  package init(_ dump: HeapDump) {
    order = dump.order ?? []
    ids = ContiguousArray(repeating: -1, count: dump.blocks.count)
    var known: [Step: Int32] = [:]
    var depths: [Int] = []
    let labels = Self.labels(of: dump)
    // Numbers and not texts: a way may have 64 long names, and there may be a million ways.
    let things = dump.things.map { "\($0.kind) \($0.name)".hashValue }
    let names = dump.labels.map { "\($0.kind) \($0.name ?? "") \($0.closure ?? "")".hashValue }
    for block in order.lazy.map(Int.init) {
      let holder = Int(dump.blocks.holders[block])
      let parent = holder < 0 ? -1 : ids[holder]
      let step = Step(
        parent: parent, root: holder < 0 ? Self.start(block, of: dump) : "",
        thing: dump.blocks.things[block], label: labels[block])
      if parent >= 0 {
        let above = steps[Int(parent)]
        let isRepeated = above.thing == step.thing && above.label == step.label
        if isRepeated || depths[Int(parent)] >= Self.deepest {
          ids[block] = parent
          continue
        }
      }
      ids[block] = known[step] ?? Int32(steps.count)
      guard Int(ids[block]) == steps.count else { continue }
      known[step] = ids[block]
      steps.append(step)
      let way = [
        parent < 0 ? 0 : keys[Int(parent)], step.root.hashValue,
        step.label == Self.noLabel ? 0 : names[Int(step.label)], things[Int(step.thing)],
      ]
      keys.append(way.hashValue)
      depths.append(parent < 0 ? 0 : depths[Int(parent)] + 1)
    }
  }

  /// Whether a block was reached by a word whose use is not known, or by a slot of a frame.
  func isVague(_ block: Int, in dump: HeapDump) -> Bool {
    let label = steps[Int(ids[block])].label
    return label != Self.noLabel && [.memory, .frame].contains(dump.labels[Int(label)].kind)
  }

  /// The label of the reference by which each block was reached.
  private static func labels(of dump: HeapDump) -> ContiguousArray<UInt32> {
    var labels = ContiguousArray(repeating: noLabel, count: dump.blocks.count)
    for holder in labels.indices {
      for reference in dump.references(of: holder) {
        let target = Int(dump.targets[reference])
        guard dump.blocks.holders[target] == holder, labels[target] == noLabel else { continue }
        labels[target] = dump.labelIDs[reference]
      }
    }
    return labels
  }

  // What a way begins at; of a ring, each reference. Members that are alike, as in a list, count as one.
  private static func start(_ block: Int, of dump: HeapDump) -> String {
    let ring = dump.blocks.origins[block] == .cycle ? dump.way(to: block).blocks : []
    let references = zip(ring, ring.dropFirst()).map { holder, target in
      let link = dump.link(from: holder, to: target)
      return "\(link.name ?? "") \(link.closure ?? "") \(link.target.name)"
    }
    return ([dump.rootText(of: block)] + references.uniqued()).joined(separator: "\n")
  }

  /// Blocks that are held alike.
  package struct Group: Sendable {
    /// How many there are.
    package var count: Int
    /// Their size together.
    package var bytes: Int
    /// The first of them.
    package var sample: Int
  }

  /// The blocks that count, together with those that are held alike, by their number.
  package func groups(
    in dump: HeapDump, where counts: (_ block: Int) -> Bool = { _ in true }
  ) -> [Int32: Group] {
    var groups: [Int32: Group] = [:]
    for block in ids.indices where counts(block) {
      groups[ids[block], default: Group(count: 0, bytes: 0, sample: block)].count += 1
      groups[ids[block]]?.bytes += Int(dump.blocks.sizes[block])
    }
    return groups
  }
}

extension HeapDump {
  /// The blocks, each after the one that it was reached from; nil where a way never ends.
  var order: ContiguousArray<Int32>? {
    var order: ContiguousArray<Int32> = []
    order.reserveCapacity(blocks.count)
    var isListed = [Bool](repeating: false, count: blocks.count)
    var path: [Int32] = []
    for start in isListed.indices {
      var block = Int32(start)
      while block >= 0 && !isListed[Int(block)] {
        isListed[Int(block)] = true
        path.append(block)
        block = blocks.holders[Int(block)]
      }
      guard !path.contains(block) else { return nil }
      order.append(contentsOf: path.reversed())
      path.removeAll(keepingCapacity: true)
    }
    return order
  }

  /// What a way begins at, in words.
  ///
  /// - Parameter block: the first block of the way.
  package func rootText(of block: Int) -> String {
    switch (blocks.origins[block], roots[block]) {
    case (.root, .task(let place)): groups[tasks[place].group].sentence
    case (.root, .global(let name)): "global " + (name.isEmpty ? "variable" : name)
    case (.root, nil): "global variable"
    case (.cycle, _): "cycle of objects"
    case (.unknown, _): "nothing that was recorded"
    }
  }
}

extension HeapNode {
  /// Its name in a list: a class without its module, a closure, or the kind of memory.
  package var title: String {
    switch kind {
    case .block(.instance): shortName
    case .block(.buffer): name.isEmpty ? "buffer" : shortName
    case .block(.error): "error \(shortName)"
    case .block(.context): name.isEmpty ? "a variable's box" : name
    case .block(.task): name.isEmpty ? "task" : "task \"\(name)\""
    case .block(.taskSlab): "memory of a task"
    case .block(.sideTable): "table of weak references"
    case .block(.metadata): "types of the runtime"
    case .block(.memory): "memory of C libraries"
    case .global, .variable: name
    }
  }

  /// Whether it is memory that something else has, or a closure around another one, and so nothing that
  /// somebody would call a thing of its own.
  var isPassage: Bool {
    if isThunk { return true }
    return switch kind {
    case .block(.buffer), .block(.taskSlab): true
    default: isOfSystem
    }
  }

  /// Whether it is memory that neither a program nor the Swift library has made.
  var isOfSystem: Bool { [.block(.memory), .block(.metadata), .block(.sideTable)].contains(kind) }
}
