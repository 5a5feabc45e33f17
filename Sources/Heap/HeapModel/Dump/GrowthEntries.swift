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
    private(set) var groups: [String: Found] = [:]
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
      var content: String?
      /// What they and all that they alone lead to take.
      var amount = Amount()
      /// The same for each kind of thing.
      var parts: [UInt32: Amount] = [:]

      /// Adds what others take.
      mutating func add(_ other: Found) {
        amount.add(other.amount, times: 1)
        for (thing, amount) in other.parts {
          parts[thing, default: Amount()].add(amount, times: 1)
        }
      }

      /// Adds others that are held alike.
      mutating func merge(_ other: Found, content: String?) {
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
      let held = HeldAlike(dump)
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
        if above < 0 || dump.isBetterNamed(block, than: Int(above)) {
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
        let content = contents[id].map { held.text(of: $0, in: dump) }
        groups[held.text(of: id, in: dump), default: Found()].merge(group, content: content)
      }
    }

    /// Counts buffers as part of what is in them.
    ///
    /// - Parameter gone: what is gone. A buffer that takes the place of one that was full is no part
    ///   of the few things for which it was made.
    mutating func passOnBuffers(besides gone: Entries) {
      for (text, group) in groups where group.count > gone.groups[text]?.count ?? 0 {
        guard let content = group.content, groups[content] != nil else { continue }
        groups[content]?.add(group)
        groups[text] = nil
      }
    }
  }
}

extension HeapDump {
  /// Whether somebody would name a block, and not the one above it.
  fileprivate func isBetterNamed(_ block: Int, than above: Int) -> Bool {
    thing(above).isPassage && !thing(block).isPassage
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
