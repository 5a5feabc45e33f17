import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  @Suite("Variables with a name") struct VariableTests {
    private final class Slot {
      var value: Leaf?
    }

    /// The map of a leaf that a global holder and a variable hold.
    private func map(naming isNamed: Bool) throws -> HolderMap {
      defer { globalHolder = nil }
      return try recorded {
        let (slot, leaf) = (Slot(), Leaf())
        slot.value = leaf
        let holder = Holder()
        holder.direct = leaf
        globalHolder = holder
        let address = UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque())
        return try withExtendedLifetime(slot) {
          try HeapSnapshot.take(variables: isNamed ? [address: "leaf"] : [:])
            .holderMap(of: [name(Leaf.self)])
        }
      }
    }

    @Test("are roots, and every holder is in the map beside them") func everyHolder() throws {
      let map = try map(naming: true)
      #expect(map.holders(of: 0) == [.variable("leaf"), .field("direct", of: "Holder")])
      #expect(map.places.filter(\.isRoot).map(\.node.name) == ["leaf", "globalHolder"])
    }

    @Test("are counted apart from the references that were found") func account() throws {
      let account = try #require(try map(naming: true).places.first?.account)
      #expect(account.namedRoots == 1)
      #expect(account.isBalanced == (account.referencesFound + 1 == account.retainCount))
      #expect(!RetainAccount(referencesFound: 1, namedRoots: 0, retainCount: 2).isBalanced)
      #expect(!RetainAccount(referencesFound: 2, namedRoots: 1, retainCount: 2).isBalanced)
    }

    @Test("without their name are objects like any other") func unnamed() throws {
      let map = try map(naming: false)
      #expect(map.holders(of: 0) == [.field("value", of: "Slot"), .field("direct", of: "Holder")])
    }

    @Test("make no cycle of what they hold, and a cycle of what they held") func cycle() throws {
      weak var first: Holder?
      let counts = try recorded {
        let (slot, holder) = (AnySlot(), Holder())
        holder.any = holder
        (slot.value, first) = (holder, holder)
        let address = UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque())
        let held = try HeapSnapshot.take(variables: [address: "holder"]).cycles(of: Holder.self)
        slot.value = nil
        let left = try HeapSnapshot.take(variables: [address: "holder"]).cycles(of: Holder.self)
        return withExtendedLifetime(slot) { [held.count, left.count] }
      }
      #expect(counts == [0, 1])
      first?.any = nil
    }

    private final class AnySlot {
      var value: Holder?
    }
  }

  @Suite("A capture in generic code") struct GenericCaptureTests {
    private protocol Shelf { associatedtype Part: AnyObject }
    private enum LeafShelf: Shelf { typealias Part = Leaf }

    @inline(never) private func keep<S: Shelf>(_ parts: [S.Part], for shelf: S.Type) {
      var parts = parts
      globalClosure = { parts += parts }
    }

    // The runtime aborts when it is asked for `S.Part` and not told what `S` is.
    @Test("of a type that depends on a parameter's own type is read without harm")
    func associatedType() throws {
      defer { globalClosure = nil }
      let snapshot = try snapshot { keep([Leaf()], for: LeafShelf.self) }
      #expect(snapshot.retainChains(to: [name(Leaf.self)]).map(\.root.kind) == [.global])
    }
  }
}

private nonisolated(unsafe) var globalClosure: (() -> Void)?
