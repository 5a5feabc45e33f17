package import MemlabHeapModel

/// A dump as folded stacks: a line for each way to hold something, from the root on, and the bytes of
/// all blocks that are held so. Flame graphs are drawn from it.
package enum FoldedFormat {
  /// The lines, sorted.
  package static func text(of dump: HeapDump) -> String {
    Ways(of: dump).all.map { $0.steps.joined(separator: ";") + " \($0.bytes)\n" }.sorted().joined()
  }

  /// The ways to hold something, each once.
  package struct Ways {
    /// What is on each way, and the blocks that are held so.
    private(set) var all: [(steps: [String], count: Int, bytes: Int)] = []

    /// Collects the ways of a dump.
    init(of dump: HeapDump) {
      let groups = EqualHolders(dump).groups(in: dump).sorted { $0.key < $1.key }
      all = groups.map { _, group in
        (Self.steps(to: group.sample, in: dump), group.count, group.bytes)
      }
    }

    private static func steps(to block: Int, in dump: HeapDump) -> [String] {
      let path = dump.path(to: block)
      // A list is one step, as long as its members are alike.
      let names = path.prefix(64).map { dump.thing($0).title }
      return ([dump.rootText(of: path[0])] + names).reduce(into: []) { steps, name in
        let step = name.replacing(";", with: ",").replacing("\n", with: " ")
        if steps.last != step { steps.append(step) }
      }
    }
  }
}
