import MemlabHeapModel
import MemlabHeapReader
import Testing

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
      let members = snapshot.cycles(of: Screen.self).map { Set($0.members.map(\.name)) }
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
