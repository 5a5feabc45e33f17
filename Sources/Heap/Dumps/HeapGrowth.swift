package import MemlabHeapModel
import MemlabPlatform

/// What a program keeps at one moment that it did not keep at an earlier one, and who holds it.
package struct HeapGrowth: Sendable {
  /// What has grown, the largest first. What the runtime and C libraries keep for themselves is not
  /// among it.
  package private(set) var groups: [Group] = []
  /// The tasks that wait alike and that have become more or fewer.
  package private(set) var tasks: [Change] = []
  /// The classes that have become more or fewer.
  package private(set) var classes: [Change] = []
  /// What the runtime and C libraries have kept for themselves since, less what they gave back.
  package private(set) var system = Amount()

  /// New things that are held alike, each with what it holds.
  package struct Group: Sendable {
    /// What each of them is.
    package var title: String
    /// How many more there are: ``new`` less ``gone``.
    package var growth: Int { new - gone }
    /// How many were made since the earlier moment and are still there.
    package var new: Int
    /// How many of those that were held alike then are gone.
    package var gone: Int
    /// What the new ones and all that they alone lead to take.
    package var amount: Amount
    /// What that is made of, the largest first.
    package var parts: [Part]
    /// The block of one of them, in the later dump.
    package var sample: Int
  }

  /// Some memory.
  package struct Amount: Sendable, Equatable {
    /// How many blocks it is.
    package var blocks = 0
    /// Their size together.
    package var bytes = 0

    /// Adds one block of so many bytes.
    mutating func add(_ bytes: Int) {
      blocks += 1
      self.bytes += bytes
    }

    /// Adds another amount as many times as the factor says.
    mutating func add(_ other: Amount, times factor: Int) {
      blocks += factor * other.blocks
      bytes += factor * other.bytes
    }
  }

  /// Blocks of one kind.
  package struct Part: Sendable, Equatable {
    /// What each of them is.
    package var title: String
    /// How many there are, and their size.
    package var amount: Amount
  }

  /// How many there were of something, and how many there are.
  package struct Change: Sendable, Equatable {
    /// What it is.
    package var title: String
    /// How many there were.
    package var before: Int
    /// How many there are.
    package var after: Int
    /// By how many bytes they have grown.
    package var bytes: Int
  }

  /// Compares two dumps of one process.
  ///
  /// - Throws: ``GrowthError`` when they are of two processes, or in the wrong order.
  package init(from earlier: HeapDump, to later: HeapDump) throws(GrowthError) {
    let (before, after) = (earlier.facts, later.facts)
    guard before.process == after.process, before.program == after.program else {
      throw .twoProcesses(before, after)
    }
    guard before.moment < after.moment else { throw .wrongOrder }
    // By the blocks themselves, not by the moment: what was in flight then is in the dump.
    let (older, newer) = (Set(earlier.blocks.serials), Set(later.blocks.serials))
    var new = Entries(later) { !older.contains(later.blocks.serials[$0]) }
    let gone = Entries(earlier) { !newer.contains(earlier.blocks.serials[$0]) }
    let (then, now) = (earlier.amounts, later.amounts)
    new.passOnBuffers(besides: gone)
    system.add(new.system, times: 1)
    system.add(gone.system, times: -1)
    for (way, group) in new.groups {
      let lost = gone.groups[way]?.count ?? 0
      guard group.count > lost else { continue }
      let thing = later.thing(group.sample)
      // One that takes the place of another of its class, which was held elsewhere.
      let isMore = now[thing, default: .init()].blocks > then[thing, default: .init()].blocks
      if group.count == lost + 1, !isMore { continue }
      groups.append(
        Group(
          title: thing.title, new: group.count, gone: lost,
          amount: group.amount, parts: group.partList(later), sample: group.sample))
    }
    groups.sort { ($0.amount.bytes, $1.title, $1.sample) > ($1.amount.bytes, $0.title, $0.sample) }
    tasks = Self.changes(earlier.taskCounts, later.taskCounts)
    classes = Self.changes(earlier.classCounts, later.classCounts)
  }

  private static func changes(_ before: [String: Amount], _ after: [String: Amount]) -> [Change] {
    Set(before.keys).union(after.keys).compactMap { title in
      let (old, new) = (before[title] ?? Amount(), after[title] ?? Amount())
      guard old.blocks != new.blocks else { return nil }
      return Change(
        title: title, before: old.blocks, after: new.blocks, bytes: new.bytes - old.bytes)
    }.sorted {
      ($0.bytes, $0.after - $0.before, $1.title) > ($1.bytes, $1.after - $1.before, $0.title)
    }
  }
}

extension HeapDump {
  fileprivate var taskCounts: [String: HeapGrowth.Amount] {
    tasks.reduce(into: [:]) { $0[groups[$1.group].sentence, default: .init()].add(0) }
  }

  /// The blocks of each kind.
  fileprivate var amounts: [HeapNode: HeapGrowth.Amount] {
    var byThing = [HeapGrowth.Amount](repeating: .init(), count: things.count)
    for block in blocks.things.indices {
      byThing[Int(blocks.things[block])].add(Int(blocks.sizes[block]))
    }
    return zip(things, byThing).reduce(into: [:]) { $0[$1.0, default: .init()].add($1.1, times: 1) }
  }

  fileprivate var classCounts: [String: HeapGrowth.Amount] {
    amounts.filter { $0.key.kind == .block(.instance) }.reduce(into: [:]) {
      $0[$1.key.title, default: .init()].add($1.value, times: 1)
    }
  }

  /// Whose a block is.
  ///
  /// - Parameter holder: whose its holder is; nil where it has none.
  fileprivate func owner(of block: Int, heldBy holder: HeapGrowth.Owner?) -> HeapGrowth.Owner {
    if case .task(let place)? = roots[block], groups[tasks[place].group].owner == .library {
      return .libraryTask
    }
    // All that such a task has is its own.
    if holder == .libraryTask { return .libraryTask }
    return thing(block).isOfSystem && holder != .program ? .system : .program
  }
}

/// Why two dumps cannot be compared.
package enum GrowthError: Error, CustomStringConvertible {
  /// They are of two processes.
  case twoProcesses(HeapDump.Facts, HeapDump.Facts)
  /// The one that was named first is the later one.
  case wrongOrder

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .twoProcesses(let first, let second):
      "one snapshot is of process \(first.process) (\(first.program.shown())), the other of process "
        + "\(second.process) (\(second.program.shown())); only snapshots of one process can be "
        + "compared"
    case .wrongOrder: "the first snapshot is not older than the second; name the older one first"
    }
  }
}

extension HeapGrowth {
  /// Whose a block is.
  enum Owner {
    /// The program's.
    case program
    /// That of the runtime or of a C library.
    case system
    /// That of a task that Swift's libraries have made for themselves.
    case libraryTask
  }

  /// Some blocks of a dump, by the first of them on their ways that somebody would name.
  struct Entries {
    /// Those that are held alike together, by the way to them.
    private(set) var groups: [Int: Found] = [:]
    /// What the runtime and C libraries have for themselves.
    private(set) var system = Amount()

    /// Blocks that are held alike, with what they lead to.
    struct Found {
      /// How many there are.
      var count = 0
      /// The first of them.
      var sample = -1
      /// The way to the first thing that somebody would name, where they are buffers or other memory
      /// on the way to it.
      var content: Int?
      /// What they and all that they alone lead to take.
      var amount = Amount()
      /// The same for each kind of thing.
      var parts: [UInt32: Amount] = [:]

      /// Adds what others take.
      mutating func add(_ other: Found) {
        amount.add(other.amount, times: 1)
        for (thing, amount) in other.parts { parts[thing, default: Amount()].add(amount, times: 1) }
      }

      /// Adds others that are held alike.
      mutating func merge(_ other: Found, content: Int?) {
        count += other.count
        if sample < 0 { sample = other.sample }
        self.content = self.content ?? content
        add(other)
      }

      /// What it is made of, the largest first.
      func partList(_ dump: HeapDump) -> [Part] {
        var byTitle: [String: Amount] = [:]
        for (thing, amount) in parts {
          byTitle[dump.things[Int(thing)].title, default: Amount()].add(amount, times: 1)
        }
        return byTitle.map { Part(title: $0.key, amount: $0.value) }
          .sorted { ($0.amount.bytes, $1.title) > ($1.amount.bytes, $0.title) }
      }
    }

    /// Looks for some blocks of a dump.
    init(_ dump: HeapDump, where isChosen: (Int) -> Bool) {
      let held = EqualHolders(dump)
      var (entries, owners) = (
        ContiguousArray<Int32>(repeating: -1, count: dump.blocks.count),
        ContiguousArray<Owner>(repeating: .program, count: dump.blocks.count)
      )
      var (found, contents) = ([Int32: Found](), [Int32: Int32]())
      for block in held.order.lazy.map(Int.init) {
        let holder = Int(dump.blocks.holders[block])
        owners[block] = dump.owner(of: block, heldBy: holder < 0 ? nil : owners[holder])
        let above = holder < 0 ? -1 : entries[holder]
        entries[block] = above
        guard isChosen(block) else { continue }
        // Somebody would name this one, and not the one above it.
        if above < 0 || dump.thing(Int(above)).isPassage && !dump.thing(block).isPassage {
          entries[block] = Int32(block)
          if above >= 0, contents[held.ids[Int(above)]] == nil {
            contents[held.ids[Int(above)]] = held.ids[block]
          }
        }
        let (bytes, entry) = (Int(dump.blocks.sizes[block]), Int(entries[block]))
        // A word that looks like the address of C's memory makes it nobody's.
        let isVague = above < 0 && dump.thing(block).isOfSystem && held.isVague(block, in: dump)
        guard owners[block] == .program, !isVague else {
          system.add(bytes)
          continue
        }
        found[held.ids[entry], default: Found(sample: entry)].count += entry == block ? 1 : 0
        found[held.ids[entry]]?.amount.add(bytes)
        found[held.ids[entry]]?.parts[dump.blocks.things[block], default: Amount()].add(bytes)
      }
      // Several may read alike, such as closures of a program without symbols.
      for (id, group) in found.sorted(by: { $0.key < $1.key }) {
        let content = contents[id].map { held.keys[Int($0)] }
        groups[held.keys[Int(id)], default: Found()].merge(group, content: content)
      }
    }

    /// Counts buffers as part of what is in them.
    ///
    /// - Parameter gone: what is gone. A buffer that takes the place of one that was full is no part
    ///   of the few things for which it was made.
    mutating func passOnBuffers(besides gone: Entries) {
      for (way, group) in groups where group.count > gone.groups[way]?.count ?? 0 {
        guard let content = group.content, groups[content] != nil else { continue }
        groups[content]?.add(group)
        groups[way] = nil
      }
    }
  }
}
