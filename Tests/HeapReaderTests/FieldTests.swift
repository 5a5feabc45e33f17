import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  @Suite("References out of objects") struct FieldTests {
    /// Plants a leaf under a global holder and reads the way to it.
    private func path(_ plant: (Holder, Leaf) -> Void) throws -> RetainChain {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        plant(holder, Leaf())
        globalHolder = holder
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.root.kind == .global)
      #expect(path.root.node.name == "globalHolder")
      return path
    }

    @Test("a stored property has its name") func directField() throws {
      let path = try path { $0.direct = $1 }
      #expect(path.links.last?.kind == .field)
      #expect(path.links.last?.name == "direct")
      #expect(path.referencesFound == 1)
      #expect(path.retainCount == 1)
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
      #expect(path.referencesFound == count)
      #expect(path.retainCount == count)
    }

    // An array asks the allocator how much it got, which may be more than it asked for.
    @Test("an array is read to its end, however it has grown", arguments: 1...20)
    func grownArray(_ count: Int) throws {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        for _ in 1...count { holder.list.append(Leaf()) }
        globalHolder = holder
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
      let path = try path { $0.table["key"] = $1 }
      #expect(path.links.map(\.kind) == [.global, .field, .element])
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
      #expect(path.referencesFound == 1)
      #expect(path.retainCount == 1)
    }

    @Test("a value taken out of a table is gone from it") func removedValue() throws {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        holder.table = ["a": Leaf(), "b": Leaf()]
        holder.direct = holder.table["a"]
        holder.table["a"] = nil
        globalHolder = holder
      }
      let paths = snapshot.retainChains(to: [name(Leaf.self)])
      #expect(paths.count == 2)
      #expect(paths.allSatisfy { $0.referencesFound == 1 })
    }

    // The queue has six slots for five values, and goes round and round in them.
    @Test("a value taken out of a queue is gone from it", arguments: 6...14)
    func valueInQueue(_ count: Int) throws {
      defer { globalHolder = nil }
      let snapshot = try snapshot {
        let holder = Holder()
        let (stream, source) = AsyncStream.makeStream(
          of: Leaf.self, bufferingPolicy: .bufferingNewest(5))
        for _ in 1...count {
          let leaf = Leaf()
          holder.list.append(leaf)
          source.yield(leaf)
        }
        holder.any = (stream, source)
        globalHolder = holder
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
