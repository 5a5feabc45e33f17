import HeapGraph
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
      let path = try #require(snapshot.retainPaths(to: [name(Screen.self)]).first)
      #expect(path.root == .cycle)
      #expect(path.steps.map(\.edge.name) == ["subscription", "action"])
      #expect(path.steps.last?.node.name == name(Screen.self))
      let members = snapshot.cycles(of: Screen.self).map { Set($0.members.map(\.name)) }
      #expect(members == [[name(Screen.self), name(Cancellable.self)]])
      screen?.subscription = nil
      #expect(screen == nil)
    }

    @Test("a global number that is a member's address is no root") func globalNumber() throws {
      defer { HeapGraphTests.globalNumber = 0 }
      weak var first: Holder?
      let snapshot = try snapshot {
        let holder = Holder()
        holder.any = holder
        first = holder
        HeapGraphTests.globalNumber = unsafeBitCast(holder, to: UInt.self)
      }
      let path = try #require(snapshot.retainPaths(to: [name(Holder.self)]).first)
      #expect(path.root == .cycle)
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
      let path = try #require(snapshot.retainPaths(to: [name(Leaf.self)]).first)
      #expect(path.root == .cycle)
      #expect(path.start.name == name(Holder.self))
      #expect(path.steps.map(\.edge.name) == ["direct"])
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
