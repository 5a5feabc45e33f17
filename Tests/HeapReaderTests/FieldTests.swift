import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  @Suite("References out of objects") struct FieldTests {
    /// Plants a leaf under a global holder and reads the way to it.
    private func path(_ plant: (Holder, Leaf) -> Void) throws -> RetainChain {
      let snapshot = try snapshotOfHolder { plant($0, Leaf()) }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.root.kind == .global)
      #expect(path.root.node.name == "globalHolder")
      return path
    }

    @Test("a stored property has its name") func directField() throws {
      let path = try path { $0.direct = $1 }
      #expect(path.links.last?.kind == .field)
      #expect(path.links.last?.name == "direct")
      #expect((path.referencesFound, path.retainCount) == (1, 1))
    }

    @Test("a superclass's property has its name") func inheritedField() throws {
      #expect(try path { $0.inherited = $1 }.links.last?.name == "inherited")
    }

    @Test("a lazy property has the source's name") func lazyField() throws {
      #expect(try path { $0.later = $1 }.links.last?.name == "later")
    }

    @Test("an enum's payload is found in spite of tag bits") func enumPayload() throws {
      #expect(try path { $0.either = .left($1) }.links.last?.name == "either")
      #expect(try path { $0.either = .right($1) }.links.last?.name == "either")
    }

    @Test("an existential's payload is found") func existential() throws {
      #expect(try path { $0.any = $1 }.links.last?.name == "any")
    }

    @Test("an array's element has its index") func arrayElement() throws {
      let path = try path { $0.list = [Leaf(), $1, Leaf()] }
      #expect(path.links.map(\.kind) == [.global, .field, .element])
      #expect(path.links.last?.name == "1")
    }

    @Test("more references than fit into a byte are counted", arguments: [254, 255, 256, 70_000])
    func manyReferences(_ count: Int) throws {
      let path = try path { $0.list = Array(repeating: $1, count: count) }
      #expect((path.referencesFound, path.retainCount) == (count, count))
    }

    // An array asks the allocator how much it got, which may be more than it asked for.
    @Test("an array is read to its end, however it has grown", arguments: 1...20)
    func grownArray(_ count: Int) throws {
      let snapshot = try snapshotOfHolder { holder in
        for _ in 1...count { holder.list.append(Leaf()) }
      }
      let paths = snapshot.retainChains(to: [name(Leaf.self)])
      #expect(paths.map(\.referencesFound) == Array(repeating: 1, count: count))
    }

    // The runtime writes four bytes of each, into memory that need not be new.
    @Test("a tuple's element is found whatever stands beside its offset")
    func tupleElement() throws {
      let metadata = unsafeBitCast((Int8, Leaf, Int16).self as Any.Type, to: UInt.self)
      let elements = try #require(UnsafeMutableRawPointer(bitPattern: metadata)) + 24
      for element in 0..<3 { (elements + element * 16 + 12).storeBytes(of: .max, as: UInt32.self) }
      defer { globalTuples = [] }
      let snapshot = try snapshot { globalTuples = [(1, Leaf(), 1)] }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.links.last?.kind == .element)
      #expect(path.referencesFound == 1)
    }

    @Test("a dictionary's value is found") func dictionaryValue() throws {
      #expect(try path({ $0.table["key"] = $1 }).links.map(\.kind) == [.global, .field, .element])
    }

    @Test("a closure's context is a block of its own") func closureContext() throws {
      let path = try path { holder, leaf in
        let number = Int.random(in: 1...9)
        holder.closure = { leaf.value = number }
      }
      #expect(path.links.map(\.kind) == [.global, .field, .capture])
    }

    @Test("weak and unowned references keep nothing alive") func weakAndUnowned() throws {
      let path = try path { holder, leaf in
        holder.weakly = leaf
        holder.unownedly = leaf
        holder.unsafely = leaf
        holder.table["the strong one"] = leaf
      }
      #expect(path.links.last?.kind == .element)
      #expect((path.referencesFound, path.retainCount) == (1, 1))
    }

    @Test("a value taken out of a table is gone from it") func removedValue() throws {
      let snapshot = try snapshotOfHolder { holder in
        holder.table = ["a": Leaf(), "b": Leaf()]
        holder.direct = holder.table["a"]
        holder.table["a"] = nil
      }
      let paths = snapshot.retainChains(to: [name(Leaf.self)])
      #expect(paths.count == 2)
      #expect(paths.allSatisfy { $0.referencesFound == 1 })
    }

    // The queue has six slots for five values, and goes round and round in them.
    @Test("a value taken out of a queue is gone from it", arguments: 6...14)
    func valueInQueue(_ count: Int) throws {
      let snapshot = try snapshotOfHolder { holder in
        let (stream, source) = AsyncStream.makeStream(
          of: Leaf.self, bufferingPolicy: .bufferingNewest(5))
        for _ in 1...count {
          let leaf = Leaf()
          holder.list.append(leaf)
          source.yield(leaf)
        }
        holder.any = (stream, source)
      }
      let paths = snapshot.retainChains(to: [name(Leaf.self)])
      let expected = Array(repeating: 1, count: count - 5) + Array(repeating: 2, count: 5)
      #expect(paths.map(\.referencesFound).sorted() == expected)
    }

    @Test("a value in a queue is an element of it") func queueElement() throws {
      let path = try path { holder, leaf in
        let (stream, source) = AsyncStream.makeStream(of: Leaf.self)
        source.yield(leaf)
        holder.any = (stream, source)
      }
      #expect(path.links.last?.kind == .element)
    }
  }
}

private nonisolated(unsafe) var globalTuples: [(Int8, Leaf, Int16)] = []

extension HeapWitness {
  @Suite("Variables with a name") struct VariableTests {
    private final class Slot { var value: Leaf? }

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

    private final class AnySlot { var value: Holder? }
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

extension HeapWitness {
  /// A block's first word is anything: a link in somebody's list, a place that has been freed.
  @Suite("What looks like a class and is not one") struct ForgedMetadataTests {
    /// Where something lies that could be a class's descriptor.
    enum Place: CaseIterable {
      case heap, variable, constant

      /// The kind of a class, and what leads nowhere.
      fileprivate var descriptor: UnsafeRawPointer {
        switch self {
        case .heap:
          let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
          words.initialize(repeating: 0x700_0000, count: 16)
          words.pointee = 16
          return UnsafeRawPointer(words)
        case .variable: return withUnsafePointer(to: &forgedDescriptor) { UnsafeRawPointer($0) }
        case .constant:
          let text: StaticString = "\u{10}\0\0\0pppppppppppppppppppppppppppppppppppppppppppppppp"
          return UnsafeRawPointer(text.utf8Start)
        }
      }
    }

    @Test("is no instance") func forged() async {
      // In a process of its own: where the forgery is believed, the runtime follows it and crashes.
      await #expect(processExitsWith: .success) {
        for place in Place.allCases {
          let metadata = Self.metadata(with: place.descriptor)
          let snapshot = try recorded {
            let block = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
            block.initialize(repeating: 3, count: 8)
            block.pointee = metadata
            return try HeapSnapshot.take()
          }
          try #require(snapshot.blocksByKind[.instance] == nil, "\(place)")
        }
      }
    }

    /// The address of memory with the marks of class metadata: code in front, the kind of a class,
    /// and the size of its instances.
    private static func metadata(with descriptor: UnsafeRawPointer) -> UInt {
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
      words.initialize(repeating: 0, count: 16)
      words[0] = UInt(bitPattern: memlab_loaded_symbol("swift_retain"))
      words[2 + 3] = 32
      words[2 + 5] = UInt(bitPattern: descriptor)
      return UInt(bitPattern: words + 2)
    }
  }
}

nonisolated(unsafe) private var forgedDescriptor: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
  (0x700_0000_0000_0010, 0x700_0000_0700_0000, 0x700_0000_0700_0000, 0, 0, 0)
