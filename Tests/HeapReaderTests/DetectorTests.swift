import Foundation
import Glibc
import MemlabHeapModel
import MemlabHeapReader
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
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        holder.list = [Leaf](repeating: Leaf(), count: references)
        globalHolder = holder
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.retainCount == references)
      #expect(path.referencesFound == references)
    }

    @Test("counts the blocks that only a survivor holds") func cost() throws {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        holder.list = [Leaf(), Leaf()]
        globalHolder = holder
      }
      #expect(snapshot.cost(of: [name(Holder.self)]).blocks == 4)
      #expect(snapshot.cost(of: [name(Leaf.self)]).blocks == 2)
    }

    @Test("names private classes without their scope's address") func privateNames() throws {
      final class Local {}
      #expect(name(Local.self).hasSuffix(".Local"))
      #expect(!name(Local.self).contains("$"))
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        globalHolder = Holder()
        globalHolder?.any = Local()
      }
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
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        globalHolder = Holder()
        globalHolder?.direct = Leaf()
      }
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
