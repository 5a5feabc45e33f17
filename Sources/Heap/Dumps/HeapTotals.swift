package import MemlabHeapModel

/// What there is in a dump, most first: the tasks by where they wait, the classes by their size.
package struct HeapTotals: Sendable {
  /// The tasks: first those that wait in the program's own functions, then those of the packages that
  /// it depends on, then those in which no function but Swift's own was found.
  package let tasks: [TaskRow]
  /// The classes, closures and other things.
  package let things: [ThingRow]

  /// Tasks that wait alike.
  package struct TaskRow: Sendable {
    /// How many there are.
    package var count = 0
    /// How many of them a thread runs.
    package var running = 0
    /// How many of them wait for their turn.
    package var enqueued = 0
    /// How many of them another task waits for.
    package var children = 0
    /// Where they wait.
    package var group: HeapDump.TaskGroup
    /// Whose functions wait; those of the libraries, where no other was found.
    package var owner: HeapDump.TaskGroup.Owner { group.frames.isEmpty ? .library : group.owner }
  }

  /// Blocks of one kind.
  package struct ThingRow: Sendable {
    /// What each of them is.
    package var title: String
    /// The same with its module.
    package var name: String
    /// How many there are.
    package var count: Int
    /// Their size together.
    package var bytes: Int
    /// One of those that are held as most of them are.
    package var sample: Int
  }

  /// Counts.
  package init(of dump: HeapDump) {
    var rows = dump.groups.map { TaskRow(group: $0) }
    for task in dump.tasks {
      rows[task.group].count += 1
      if task.state == .running { rows[task.group].running += 1 }
      if task.state == .enqueued { rows[task.group].enqueued += 1 }
      if task.isChild { rows[task.group].children += 1 }
    }
    tasks = rows.filter { $0.count > 0 }.sorted { one, other in
      if one.owner != other.owner { return one.owner == .program || other.owner == .library }
      return (one.count, other.group.sentence) > (other.count, one.group.sentence)
    }
    things = Self.things(of: dump)
  }

  private struct Key: Hashable {
    var thing: UInt32
    var id: Int32
  }

  private static func things(of dump: HeapDump) -> [ThingRow] {
    let held = EqualHolders(dump)
    var sums = [(count: Int, bytes: Int)](repeating: (0, 0), count: dump.things.count)
    var ways: [Key: (count: Int, sample: Int)] = [:]
    for block in held.ids.indices {
      let thing = dump.blocks.things[block]
      sums[Int(thing)].count += 1
      sums[Int(thing)].bytes += Int(dump.blocks.sizes[block])
      ways[Key(thing: thing, id: held.ids[block]), default: (0, block)].count += 1
    }
    var most: [UInt32: (count: Int, sample: Int)] = [:]
    for (key, way) in ways {
      let best = most[key.thing] ?? (0, .max)
      if (way.count, best.sample) > (best.count, way.sample) { most[key.thing] = way }
    }
    var rows: [String: ThingRow] = [:]
    var largest: [String: Int] = [:]
    for (thing, way) in most.sorted(by: { $0.key < $1.key }) {
      let (node, sum) = (dump.things[Int(thing)], sums[Int(thing)])
      let (known, isLarger) = (rows[node.title], way.count > largest[node.title] ?? 0)
      if isLarger { largest[node.title] = way.count }
      rows[node.title] = ThingRow(
        title: node.title, name: known?.name ?? node.name,
        count: sum.count + (known?.count ?? 0), bytes: sum.bytes + (known?.bytes ?? 0),
        sample: isLarger ? way.sample : known?.sample ?? way.sample)
    }
    return rows.values.sorted { ($0.bytes, $1.title) > ($1.bytes, $0.title) }
  }
}

extension HeapDump {
  /// Who holds a block, in a few words.
  package func holder(of block: Int) -> String {
    // Of many objects in one cycle, each would have the others in its chain.
    if blocks.origins[block] == .cycle { return "a cycle of objects" }
    let chain = retainChain(to: block)
    if blocks.holders[block] < 0 {
      if chain.root.kind == .unknown { return "nothing that was recorded" }
      if thing(block).kind == .block(.task) { return "the runtime" }
    }
    if case .task = chain.holder, let group = tasksHolding(block) { return group.title }
    return chain.holder.description
  }
}

/// Who holds the blocks of one class, those that are held alike together.
package struct HeapHolders: Sendable {
  /// The groups, the largest first.
  package let groups: [EqualHolders.Group]

  /// Looks for the blocks of a class.
  ///
  /// - Parameter name: as ``HeapNode/title`` has it, or with its module.
  package init(of name: String, in dump: HeapDump) {
    let isMeant = dump.things.map { $0.title == name || !$0.name.isEmpty && $0.name == name }
    let found = EqualHolders(dump).groups(in: dump) { isMeant[Int(dump.blocks.things[$0])] }
    groups = found.values.sorted { ($0.count, $1.sample) > ($1.count, $0.sample) }
  }
}
