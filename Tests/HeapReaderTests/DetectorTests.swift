import Foundation
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization
import Testing

extension HeapWitness {
  @Suite("The detector") struct DetectorTests {
    @Test("holds nothing that it watches") func holdsNothing() throws {
      weak var watched: Leaf?
      let snapshot = try recorded {
        let leaf = Leaf()
        watched = leaf
        let before = _getRetainCount(leaf)
        let snapshot = try HeapSnapshot.take()
        #expect(snapshot.retainChain(to: leaf) != nil)
        #expect(_getRetainCount(leaf) == before)
        return snapshot
      }
      #expect(watched == nil)
      #expect(snapshot.liveInstances[name(Leaf.self)] == 1)
    }

    // In a process of its own: other tests of this one may record meanwhile.
    @Test("reads a planted graph back, and stops what it started") func selfCheck() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.stop()
        let losses = try HeapSelfCheck.run()
        #expect(losses == [])
        #expect(!HeapRecording.isOn)
      }
    }

    @Test("finds as many references as the runtime counts", arguments: 1...4)
    func retainCounts(references: Int) throws {
      let snapshot = try snapshotOfHolder { $0.list = [Leaf](repeating: Leaf(), count: references) }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect((path.referencesFound, path.retainCount) == (references, references))
    }

    @Test("counts the blocks that only a survivor holds") func cost() throws {
      let snapshot = try snapshotOfHolder { $0.list = [Leaf(), Leaf()] }
      #expect(snapshot.cost(of: [name(Holder.self)]).blocks == 4)
      #expect(snapshot.cost(of: [name(Leaf.self)]).blocks == 2)
    }

    @Test("names private classes without their scope's address") func privateNames() throws {
      final class Local {}
      #expect(name(Local.self).hasSuffix(".Local"))
      #expect(!name(Local.self).contains("$"))
      let snapshot = try snapshotOfHolder { $0.any = Local() }
      #expect(snapshot.liveInstances[name(Local.self)] == 1)
    }

    @Test(
      "names a class as a reader would",
      arguments: [
        ("App.Repo", "Repo"), ("App.Outer.Inner", "Inner"),
        ("Swift.AsyncStream<Swift.Int>._Storage", "AsyncStream<Int>._Storage"),
      ])
    func shortNames(qualified: String, short: String) {
      #expect(TypeName.short(qualified) == short)
    }

    @Test("names a class without its arguments, which may be functions") func arguments() {
      #expect(TypeName.withoutArguments("Box<(Int) -> Void>.Inner<[Int]>") == "Box.Inner")
    }

    @Test("never follows a pointer on trust", arguments: [1, 1000])
    func wildPointers(count: Int) throws {
      let forbidden = try #require(mmap(nil, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      let old = UInt(bitPattern: calloc(1, 8192))
      let wild: [UInt] = [UInt(bitPattern: forbidden) + 64, 0x7000_0000, .max & ~7, old]
      var blocks: [UnsafeMutableRawPointer] = []
      let snapshot = try recorded {
        for word in wild {
          for step in 0..<UInt(count) {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16)
            block.storeBytes(of: word &+ step * 8, as: UInt.self)
            blocks.append(block)
          }
        }
        return try HeapSnapshot.take()
      }
      #expect(snapshot.blocksByKind[.memory] ?? 0 >= wild.count * count)
      for block in blocks { block.deallocate() }
      free(UnsafeMutableRawPointer(bitPattern: old))
      munmap(forbidden, 4096)
    }

    @Test("a chain that was read from JSON says the same as before") func codable() throws {
      let snapshot = try snapshotOfHolder { $0.direct = Leaf() }
      let chain = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first).named
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let data = try encoder.encode(chain)
      let read = try JSONDecoder().decode(RetainChain.self, from: data)
      #expect(try encoder.encode(read) == data)
      #expect(ChainInWords(read, for: .report) == ChainInWords(chain, for: .report))
      #expect((read.type, read.holder) == ("Leaf", .field("direct", of: "Holder")))
    }

    @Test("a long list's way is shown by its ends") func longChain() throws {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        var list: Any = Leaf()
        for _ in 0..<500 {
          let link = Holder()
          link.any = list
          list = link
        }
        globalHolder = list as? Holder
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.links.count == 65)
      #expect(path.omitted == 500 - 64)
      while let next = globalHolder?.any as? Holder { globalHolder = next }
    }
  }
}

extension HeapWitness {
  @Suite("Cycles") struct CycleTests {
    @Test("a stored cancellable that captures its owner is a cycle without a root")
    func storedCancellable() throws {
      weak var screen: Screen?
      let snapshot = try snapshot {
        let new = Screen()
        new.subscribe()
        screen = new
      }
      let path = try #require(snapshot.retainChains(to: [name(Screen.self)]).first)
      #expect(path.root.kind == .cycle)
      #expect(path.links.map(\.name) == ["subscription", "action"])
      #expect(path.links.last?.target.name == name(Screen.self))
      let members = snapshot.cycles(of: Screen.self).map { Set($0) }
      #expect(members == [[name(Screen.self), name(Cancellable.self)]])
      screen?.subscription = nil
      #expect(screen == nil)
    }

    @Test("a global number that is a member's address is no root") func globalNumber() throws {
      defer { HeapReaderTests.globalNumber = 0 }
      weak var first: Holder?
      let snapshot = try snapshot {
        let holder = Holder()
        holder.any = holder
        first = holder
        HeapReaderTests.globalNumber = unsafeBitCast(holder, to: UInt.self)
      }
      let path = try #require(snapshot.retainChains(to: [name(Holder.self)]).first)
      #expect(path.root.kind == .cycle)
      #expect(path.referencesFound == path.retainCount)
      first?.any = nil
    }

    @Test("what hangs off a cycle is reached from it") func offACycle() throws {
      weak var first: Holder?
      let snapshot = try snapshot {
        let holder = Holder()
        holder.any = holder
        holder.direct = Leaf()
        first = holder
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.root.kind == .cycle)
      #expect(path.root.node.name == name(Holder.self))
      #expect(path.links.map(\.name) == ["direct"])
      first?.any = nil
    }

    private final class Node { var (token, next): (Token?, Node?) }
    private final class Token { var owner: Node? }

    @Test("what was freed after the look is not read") func freed() async {
      await #expect(processExitsWith: .success) {
        // So large that it has a mapping of its own, which goes with it.
        var block: UnsafeMutableRawPointer?
        let snapshot = try snapshot { block = malloc(1 << 26) }
        free(block)
        #expect(snapshot.chainFinder(since: nil, besides: [])(Leaf()) == nil)
      }
    }

    // A box captures what is in it, as a closure does.
    @Test("a closure's capture of the oldest object is the edge to cut") func captures() throws {
      weak var (first, second, boxed): (Holder?, Holder?, Holder?)
      let snapshot = try snapshot {
        let holders = (0..<4).map { _ in Holder() }
        holders[0].closure = { [next = holders[1], count = holders.count] in _ = (next, count) }
        holders[1].closure = { [next = holders[0]] in _ = next }
        (holders[2].any, holders[3].any) = ((holders[3], 1, 2, 3), holders[2])
        (first, second, boxed) = (holders[0], holders[1], holders[2])
      }
      let finder = snapshot.chainFinder(since: nil, besides: [])
      let chains = [first, second, boxed].compactMap { $0.flatMap(finder) }
      let rows = chains.map { ChainInWords($0, for: .test(task: nil, thread: nil)).rows }
      #expect(rows.map { $0.firstIndex { $0.cut != nil } } == [3, 1, 2], "\(rows)")
      first?.closure = nil
      boxed?.any = nil
    }

    @Test("without closures, the edge to cut leads to the oldest object, whichever is shown")
    func cut() throws {
      weak var node: Node?
      let snapshot = try snapshot {
        let (first, token) = (Node(), Token())
        (first.token, first.next, token.owner, node) = (token, Node(), first, first)
      }
      let finder = snapshot.chainFinder(since: nil, besides: [])
      let objects: [AnyObject?] = [node?.next, node, node?.token]
      let chains = objects.compactMap { $0.flatMap(finder) }
      let rows = chains.map { ChainInWords($0, for: .test(task: nil, thread: nil)).rows }
      let cut = [["token", "owner", "next"], ["token", "owner"], ["owner", "token"]]
      #expect(rows.map { $0.map(\.reference) } == cut)
      #expect(rows.map { $0.firstIndex { $0.cut != nil } } == [1, 1, 0])
      node?.token = nil
    }

    @Test("objects that were released are no cycle") func noCycle() throws {
      let snapshot = try snapshot {
        let screen = Screen()
        screen.subscribe()
        screen.subscription = nil
      }
      #expect(snapshot.cycles(of: Screen.self).isEmpty)
      #expect(snapshot.liveInstances[name(Screen.self)] == nil)
    }
  }
}

/// The rows of chains, written as a letter for each: `o` for the reader's own, a capital for the module
/// of a library.
@Suite("The rows of a chain") struct ChainRowTests {
  @Test(
    "are folded where a library has several in a row, and are at most eight",
    arguments: [
      ("oAAAAo", "oAAAAo"), ("oAAAAoo", "o4oo"), ("oAABBBBBo", "oAA5o"), ("AAABBBo", "33o"),
      ("ooooooooo", "ooo2oooo"), ("oooAABBAAooo", "ooo5Aooo"),
    ])
  func rows(all: String, few: String) {
    let rows = all.map { ChainInWords.Row(name: "o", otherModule: $0 == "o" ? nil : String($0)) }
    let shown = ChainInWords.few(rows).map { row in
      guard row.name.hasPrefix("… ") else { return row.otherModule ?? "o" }
      return String(row.name.dropFirst(2).prefix { $0 != " " })
    }
    #expect(shown.joined() == few)
  }

  @Test("that are folded name the module") func module() {
    let rows = (0..<7).map { _ in ChainInWords.Row(name: "o", otherModule: "NIOCore") }
    #expect(ChainInWords.few(rows).map(\.name) == ["… 7 of NIOCore …"])
    let names = ChainInWords.few(rows, besides: 900).map(\.name)
    #expect(names == ["… 7 of NIOCore …", "… 900 more …"])
  }

  @Test(
    "have types without their modules, but where two of one chain have the same name",
    arguments: [
      ("House.Room", ["home → Door", "room → Room"]),
      ("House.Door", ["home → Hall.Door", "room → House.Door"]),
    ])
  func modules(type: String, expected: [String]) throws {
    let json = """
      {"type": "\(type)", "heldBy": "Door.room", "referencesFound": 1, "links": [
        {"kind": "field", "name": "home", "to": "Hall.Door", "isObject": true},
        {"kind": "field", "name": "room", "to": "\(type)", "isObject": true}],
        "root": {"kind": "global", "name": "Hall.doors", "frames": []}}
      """
    let chain = try JSONDecoder().decode(RetainChain.self, from: Data(json.utf8))
    let rows = ChainInWords(chain, for: .test(task: nil, thread: nil)).rows
    #expect(rows.map { "\($0.reference) → \($0.name)" } == expected)
  }
}

@Suite("Threads that look for work", .serialized) struct RestTests {
  private final class Worker: Sendable {
    let id = Atomic(0)
    let hasBegun = DispatchSemaphore(value: 0)
    let finds = Atomic(false)
    let mayEnd = DispatchSemaphore(value: 0)

    /// As a worker of a pool does: it looks for a while before it waits.
    func look() {
      id.store(ProcessThread.current, ordering: .relaxed)
      hasBegun.signal()
      while !finds.load(ordering: .relaxed) {}
      mayEnd.wait()
    }

    var isAtRest: Bool { ProcessThread(id: id.load(ordering: .relaxed)).isAtRest }

    /// Does something while one on a thread of its own looks for work.
    static func whileLooking(_ body: (Worker) throws -> Void) throws {
      let worker = Worker()
      let thread = try #require(SystemThread { worker.look() })
      worker.hasBegun.wait()
      try body(worker)
      worker.finds.store(true, ordering: .relaxed)
      worker.mayEnd.signal()
      thread.join()
      #expect(ProcessThread(id: worker.id.load(ordering: .relaxed)).hasEnded)
    }
  }

  @Test("are at rest when one has waited for that") func rest() throws {
    try Worker.whileLooking { worker in
      var turns = 0
      ProcessThread.letOthersComeToRest(
        givingWay: {
          turns += 1
          guard turns == 3 else { return }
          worker.finds.store(true, ordering: .relaxed)
          while !worker.isAtRest { sched_yield() }
        }, atMost: .seconds(60))
      #expect(turns >= 3)
    }
  }

  @Test("are given way for a moment only when they have run all the time before")
  func restless() throws {
    try Worker.whileLooking { _ in
      // Threads of other tests may begin to run at any time, and are new to it.
      let turns = (0..<50).lazy.map { _ in
        var turns = 0
        ProcessThread.letOthersComeToRest(givingWay: {
          turns += 1
          ProcessThread.standAside()
        })
        return turns
      }
      #expect(turns.contains { $0 < ProcessThread.maxYields / 2 })
    }
  }

  @Test("are not waited for when they go on") func busy() throws {
    try Worker.whileLooking { _ in
      var turns = 0
      ProcessThread.letOthersComeToRest(givingWay: { turns += 1 }, atMost: .seconds(60))
      #expect(turns == ProcessThread.maxYields)
      ProcessThread.letOthersComeToRest(givingWay: { turns += 1 }, atMost: .zero)
      #expect(turns == ProcessThread.maxYields)
    }
  }
}
