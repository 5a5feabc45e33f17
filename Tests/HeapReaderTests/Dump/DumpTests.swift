import CMemlabRecorder
import MemlabDumps
import MemlabHeapModel
import MemlabHeapReader
import TestSupport
import Testing

@Suite("What has grown between two dumps") struct GrowthTests {
  /// A block of a dump that is made by hand.
  private struct Made {
    var serial: UInt64
    var thing: Thing
    var holder: Int
    var size: UInt32 = 100
  }

  // The places of these in `things`.
  private enum Thing: Int {
    case cache, buffer, session, note, task, closure, thunk, memory, nameless, otherNameless
  }
  private static let things = [
    HeapNode(kind: .block(.instance), name: "App.Cache"),
    HeapNode(kind: .block(.buffer), name: "Swift._DictionaryStorage<Swift.Int, App.Session>"),
    HeapNode(kind: .block(.instance), name: "App.Session"),
    HeapNode(kind: .block(.instance), name: "App.Note"), HeapNode(kind: .block(.task), name: ""),
    HeapNode(kind: .block(.context), name: "closure #1 in sleep()"),
    HeapNode(
      kind: .block(.context), name: "reabstraction thunk helper from @callee_guaranteed () -> ()"),
    HeapNode(kind: .block(.memory), name: ""), HeapNode(kind: .block(.context), name: ""),
    HeapNode(kind: .block(.context), name: ""),
  ]

  /// A dump of some blocks; the first of a way is held by a global variable, or is a task.
  private func dump(
    at moment: UInt64, _ blocks: [Made], taskIsOfLibrary: Bool = false,
    by label: RetainChain.Link.Kind = .element
  ) -> HeapDump {
    var dump = HeapDump()
    dump.facts.moment = moment
    dump.things = Self.things
    dump.labels = [HeapDump.Label(kind: label)]
    dump.groups = [
      HeapDump.TaskGroup(
        title: "a task", suspendedIn: nil, frames: [], owner: taskIsOfLibrary ? .library : .program)
    ]
    dump.add(blocks.map { ($0.serial, $0.size, $0.thing.rawValue, $0.holder) })
    for (place, block) in blocks.enumerated() where block.holder < 0 {
      if block.thing == .task {
        dump.roots[place] = .task(dump.tasks.count)
        dump.tasks.append(
          HeapDump.Task(
            block: place, group: 0, id: UInt64(place), name: nil, state: .suspended, isChild: false)
        )
      } else {
        dump.roots[place] = .global("Cache.shared")
      }
    }
    return dump
  }

  private let cache = Made(serial: 1, thing: .cache, holder: -1)
  private let full = Made(serial: 2, thing: .buffer, holder: 0, size: 1000)
  private func session(_ serial: UInt64) -> Made {
    Made(serial: serial, thing: .session, holder: 1)
  }

  @Test("is counted with what it leads to, and without the buffer that took a full one's place")
  func replacedBuffer() throws {
    let earlier = dump(at: 10, [cache, full, session(3)])
    let larger = Made(serial: 11, thing: .buffer, holder: 0, size: 2000)
    let note = Made(serial: 14, thing: .note, holder: 3, size: 20)
    let later = dump(at: 20, [cache, larger, session(3), session(12), session(13), note])
    let growth = try HeapGrowth(from: earlier, to: later)
    let group = try #require(growth.groups.first)
    #expect(growth.groups.count == 1)
    #expect((group.title, group.growth) == ("Session", 2))
    #expect(group.amount.bytes == 220)
    #expect(group.parts.map(\.title) == ["Session", "Note"])
    #expect(later.holder(of: group.sample) == "Cache")
  }

  @Test("has the buffer as a part that was made for it") func firstBuffer() throws {
    let later = dump(at: 20, [cache, Made(serial: 11, thing: .buffer, holder: 0), session(12)])
    let growth = try HeapGrowth(from: dump(at: 10, [cache]), to: later)
    #expect(growth.groups.map(\.title) == ["Session"])
    #expect(growth.groups.first?.amount.blocks == 2)
    #expect(growth.groups.first?.growth == 1)
  }

  @Test("is a buffer where that holds nothing new") func buffer() throws {
    let empty = Made(serial: 11, thing: .buffer, holder: 0)
    let growth = try HeapGrowth(from: dump(at: 10, [cache]), to: dump(at: 20, [cache, empty]))
    #expect(growth.groups.map(\.growth) == [1])
    #expect(growth.groups.first?.sample == 1)
  }

  @Test("counts all closures of a stripped program, which have no names to tell them apart by")
  func nameless() throws {
    let (one, other) = (Thing.nameless, Thing.otherNameless)
    let closures = [
      Made(serial: 11, thing: one, holder: 0), Made(serial: 12, thing: other, holder: 0),
      Made(serial: 13, thing: other, holder: 0), Made(serial: 14, thing: .note, holder: 1),
    ]
    let growth = try HeapGrowth(from: dump(at: 10, [cache]), to: dump(at: 20, [cache] + closures))
    #expect(growth.groups.map(\.growth) == [3])
    #expect(growth.groups.first?.parts.map(\.amount.blocks).sorted() == [1, 3])
  }

  @Test("is nothing where as much is gone as is new") func replaced() throws {
    let earlier = dump(at: 10, [cache, full, session(3), session(4)])
    let later = dump(at: 20, [cache, full, session(13), session(14)])
    #expect(try HeapGrowth(from: earlier, to: later).groups.isEmpty)
    let more = dump(at: 20, [cache, full, session(13), session(14), session(15)])
    let group = try HeapGrowth(from: earlier, to: more).groups.first
    #expect(group?.growth == 1)
    #expect(group?.new == 3)
    #expect(group?.gone == 2)
  }

  @Test("is named by what is behind a closure that only passes on") func thunk() throws {
    let thunks = [
      Made(serial: 11, thing: .thunk, holder: 1), Made(serial: 12, thing: .note, holder: 2),
    ]
    let growth = try HeapGrowth(
      from: dump(at: 10, [cache, full]), to: dump(at: 20, [cache, full] + thunks))
    #expect(growth.groups.map(\.title) == ["Note"])
    #expect(growth.groups.first?.amount.blocks == 2)
  }

  @Test(
    "does not have the tasks that Swift's libraries make for themselves", arguments: [true, false])
  func libraryTask(isOfLibrary: Bool) throws {
    let sleep = [
      Made(serial: 11, thing: .task, holder: -1), Made(serial: 12, thing: .closure, holder: 0),
    ]
    let growth = try HeapGrowth(
      from: dump(at: 10, []), to: dump(at: 20, sleep, taskIsOfLibrary: isOfLibrary))
    #expect(growth.groups.count == (isOfLibrary ? 0 : 1))
    #expect(growth.system.blocks == (isOfLibrary ? 2 : 0))
  }

  @Test("does not have one that took the place of another, which was held elsewhere")
  func moved() throws {
    let below = Made(serial: 3, thing: .note, holder: 1)
    let above = Made(serial: 13, thing: .note, holder: 0)
    let earlier = dump(at: 10, [cache, full, below])
    #expect(try HeapGrowth(from: earlier, to: dump(at: 20, [cache, full, above])).groups.isEmpty)
    let two = [above, Made(serial: 14, thing: .note, holder: 0)]
    let growth = try HeapGrowth(from: earlier, to: dump(at: 20, [cache, full] + two))
    #expect(growth.groups.map(\.growth) == [2])
  }

  @Test(
    "has memory that the program points at, and not memory that a word seems to point at",
    arguments: [(RetainChain.Link.Kind.field, 1), (.memory, 0), (.frame, 0)])
  func memory(label: RetainChain.Link.Kind, count: Int) throws {
    let memory = Made(serial: 11, thing: .memory, holder: 0)
    let growth = try HeapGrowth(
      from: dump(at: 10, [cache], by: label), to: dump(at: 20, [cache, memory], by: label))
    #expect(growth.groups.count == count)
    #expect(growth.system.blocks == 1 - count)
  }

  @Test("is not asked of dumps in the wrong order, or of two processes") func refused() {
    let (earlier, later) = (dump(at: 10, []), dump(at: 20, []))
    #expect(throws: GrowthError.self) { try HeapGrowth(from: later, to: earlier) }
    var other = later
    other.facts.process = 1
    #expect(throws: GrowthError.self) { try HeapGrowth(from: earlier, to: other) }
  }
}

extension HeapWitness {
  @Suite("A dump of the heap") struct DumpTests {
    /// A dump and the snapshot that it was made beside, of a screen that holds itself.
    private func dumped() throws -> (dump: HeapDump, snapshot: HeapSnapshot) {
      try recorded {
        let screen = Screen()
        screen.subscribe()
        defer { screen.subscription = nil }
        let end = heap_recorder_moment()
        let dump = try HeapDump.ofThisProcess(copiedAt: end, upTo: end)
        return (dump, try HeapSnapshot.take())
      }
    }

    @Test("has the blocks, and the chains that a snapshot has") func chains() throws {
      let (dump, snapshot) = try dumped()
      let type = name(Screen.self)
      let screens = dump.blocks.things.indices.filter {
        dump.thing($0) == HeapNode(kind: .block(.instance), name: type)
      }
      let block = try #require(screens.first)
      #expect(screens.count == 1)
      let chain = dump.retainChain(to: block)
      let expected = try #require(snapshot.retainChains(to: [type]).first)
      #expect(chain.root.kind == expected.root.kind)
      #expect(chain.links.map(\.name) == expected.links.map(\.name))
      #expect(chain.links.map(\.target) == expected.links.map(\.target))
      #expect(chain.serial == expected.serial)
      #expect(chain.retainCount == expected.retainCount)
      #expect(chain.referencesFound == expected.referencesFound)
    }

    // Too large for an existential, which has a box for them.
    private struct Cart { var items = Leaf(), sizes = (1, 2, 3) }
    private struct Queue { var list = Leaf(), sizes = (1, 2, 3) }

    @Test("names what boxes of several types keep by its own property") func boxes() throws {
      defer { globalHolder = nil }
      let dump = try recorded {
        globalHolder = Holder()
        globalHolder?.any = [Cart(), Queue()] as [Any]
        return try HeapDump.ofThisProcess(copiedAt: heap_recorder_moment(), upTo: .max)
      }
      let leaves = dump.blocks.things.indices.filter { dump.thing($0).name == name(Leaf.self) }
      let links = leaves.map { dump.retainChain(to: $0).links.suffix(2) }
      #expect(Set(links.map(\.last?.name)) == ["items", "list"])
      #expect(Set(links.map(\.first?.target.name)) == ["a box of Cart", "a box of Queue"])
    }

    // With -O, a leaf that nobody looks at is made on the stack, or later.
    @_optimize(none) private func made() -> Leaf { Leaf() }

    @Test("leaves out what is younger than it was asked for, and counts what was in flight")
    func serials() throws {
      try recorded {
        let (begin, leaf) = (heap_recorder_moment(), made())
        let (end, later) = (heap_recorder_moment(), made())
        let dump = try HeapDump.ofThisProcess(copiedAt: begin, upTo: end)
        #expect(dump.blocks.serials.allSatisfy { $0 <= end })
        #expect(dump.facts.blocksInFlight >= 1)
        let leaves = dump.blocks.things.indices.filter { dump.thing($0).name == name(Leaf.self) }
        #expect(leaves.count == 1)
        withExtendedLifetime((leaf, later)) {}
      }
    }

    @Test("is the same after it was written and read") func roundTrip() throws {
      let (dump, _) = try dumped()
      let bytes = Array(dump.bytes)
      #expect(Array(try HeapDump(bytes: bytes).bytes) == bytes)
    }

    @Test("is refused when it is not whole, and never read beyond its end") func damaged() throws {
      let bytes = Array(try dumped().dump.bytes)
      #expect(throws: DumpError.unknownFormat) { try HeapDump(bytes: []) }
      for count in stride(from: 14, to: bytes.count, by: max(1, bytes.count / 50)) {
        #expect(throws: DumpError.damaged) { try HeapDump(bytes: Array(bytes[..<count])) }
      }
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<200 {
        var flipped = bytes
        flipped[Int.random(in: 14..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8)
        // It may still make sense; then every chain ends.
        guard let dump = try? HeapDump(bytes: flipped) else { continue }
        for block in dump.blocks.serials.indices.prefix(50) { _ = dump.retainChain(to: block) }
      }
    }
  }
}
