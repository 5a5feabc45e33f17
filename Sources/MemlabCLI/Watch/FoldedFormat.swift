import HeapGraph

/// A dump as folded stacks: a line for each way to hold something, from the root on, and the bytes of
/// all blocks that are held so. Flame graphs are drawn from it.
enum FoldedFormat {
  /// The lines, sorted.
  static func text(of dump: HeapDump) -> String {
    Ways(of: dump).all.map { $0.steps.joined(separator: ";") + " \($0.bytes)\n" }.sorted().joined()
  }

  /// The ways to hold something, each once.
  struct Ways {
    /// What is on each way, and the blocks that are held so.
    private(set) var all: [(steps: [String], count: Int, bytes: Int)] = []

    /// Collects the ways of a dump.
    init(of dump: HeapDump) {
      let held = HeldAlike(dump)
      var sums: [Int32: (count: Int, bytes: Int, sample: Int)] = [:]
      for block in held.ids.indices {
        sums[held.ids[block], default: (0, 0, block)].count += 1
        sums[held.ids[block]]?.bytes += Int(dump.blocks.sizes[block])
      }
      all = sums.sorted { $0.key < $1.key }.map { _, sum in
        (Self.steps(to: sum.sample, in: dump), sum.count, sum.bytes)
      }
    }

    private static func steps(to block: Int, in dump: HeapDump) -> [String] {
      let path = dump.path(to: block)
      let root: String =
        switch (dump.blocks.origins[block], dump.roots[path[0]]) {
        case (.root, .task(let place)): dump.groups[dump.tasks[place].group].sentence
        case (.root, .global(let name)): "global " + (name.isEmpty ? "variable" : name)
        case (.root, nil): "global variable"
        case (.cycle, _): "cycle of objects"
        case (.unknown, _): "nothing that was recorded"
        }
      // A list is one step, as long as its members are alike.
      let names = path.prefix(64).map { dump.thing($0).title }
      return ([root] + names).reduce(into: []) { steps, name in
        let step = name.replacing(";", with: ",").replacing("\n", with: " ")
        if steps.last != step { steps.append(step) }
      }
    }
  }
}
