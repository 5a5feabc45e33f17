import CMemlabRecorder
import MemlabHeapModel
import MemlabHeapReader
import Testing

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

    // With -O, a leaf that nobody looks at is made on the stack, or later.
    @_optimize(none) private func made() -> Leaf { Leaf() }

    @Test("leaves out what is younger than it was asked for, and counts what was in flight")
    func serials() throws {
      try recorded {
        let begin = heap_recorder_moment()
        let leaf = made()
        let end = heap_recorder_moment()
        let later = made()
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
