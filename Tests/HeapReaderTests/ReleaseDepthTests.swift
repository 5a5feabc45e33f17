import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  /// How many releases go on inside one another is a matter of who holds whom, and of the compiler.
  @Suite("How deep a release recurses") struct ReleaseDepthTests {
    @Test("is told for a list that holds the next by another type") func anyLinks() throws {
      var head: AnyLink?
      let chain = try recorded {
        for _ in 0..<100_000 { head = AnyLink(next: head) }
        return try HeapSnapshot.take().retainChain(to: #require(head))
      }
      #expect(chain?.releaseDepth == 100_000)
      let warning = try #require(chain?.releaseWarning)
      #expect(warning.hasPrefix("Releasing AnyLink would recurse 100000 deep"))
      while let link = head {
        head = link.next as? AnyLink
        link.next = nil
      }
    }

    // Measured with 3,000,000 links in debug and with -O: a second property, or an array, and the stack
    // overflows after 27,000 to 104,000.
    @Test("is not told where the compiler makes a loop") func ownLinks() throws {
      try recorded {
        var (list, second): (OwnLink<Int>?, TwoLinks?)
        for _ in 0..<2_000 { (list, second) = (OwnLink(next: list), TwoLinks(next: second)) }
        let snapshot = try HeapSnapshot.take()
        #expect(try depth(of: list, in: snapshot) == nil)
        #expect(try depth(of: second, in: snapshot) == 2_000)
      }
    }

    @Test("counts closures and arrays, and ends at what somebody else holds") func others() throws {
      try recorded {
        var (work, tree): (Work?, Tree?)
        var middle: Tree?
        for index in 0..<3_000 {
          let earlier = work
          work = Work { withExtendedLifetime(earlier) {} }
          tree = Tree(children: [tree].compactMap(\.self))
          if index == 1_499 { middle = tree }
        }
        let snapshot = try HeapSnapshot.take()
        // Each has a closure, or an array, which holds the next; the tree in the middle stays.
        #expect(try depth(of: work, in: snapshot) == 6_000)
        #expect(try depth(of: tree, in: snapshot) == 3_000)
        withExtendedLifetime(middle) {}
      }
    }

    @Test("ends where a variable holds, too, in a ring as elsewhere") func ring() throws {
      try recorded {
        let first = AnyLink(next: nil)
        var last = first
        for _ in 1..<2_000 { last = AnyLink(next: last) }
        first.next = last
        #expect(try depth(of: last, in: HeapSnapshot.take()) == 1_999)
        let (outer, inner) = (AnyLink(next: nil), AnyLink(next: nil))
        (outer.next, inner.next) = (inner, inner)
        // As if the other owners were about to come, or had just gone.
        let counted = [first, last, inner].map {
          Unmanaged.passUnretained($0).toOpaque() + MemoryLayout<Int>.size
        }
        let real = counted.map { $0.load(as: UInt64.self) }
        for counts in counted { counts.storeBytes(of: 3, as: UInt64.self) }
        let snapshot = try HeapSnapshot.take()
        for (counts, bits) in zip(counted, real) { counts.storeBytes(of: bits, as: UInt64.self) }
        #expect(try depth(of: last, in: snapshot) == 2_000)
        #expect(try depth(of: outer, in: snapshot) == nil)
        (first.next, inner.next) = (nil, nil)
      }
    }

    private func depth(of object: AnyObject?, in snapshot: HeapSnapshot) throws -> Int? {
      let object = try #require(object)
      return try #require(snapshot.retainChain(to: object)).releaseDepth
    }
  }
}

private final class AnyLink {
  var next: AnyObject?
  init(next: AnyLink?) { self.next = next }
}

private final class OwnLink<Value> {
  let next: OwnLink?
  init(next: OwnLink?) { self.next = next }
}

private final class TwoLinks {
  let next: TwoLinks?
  var other: TwoLinks?
  init(next: TwoLinks?) { self.next = next }
}

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

private final class Tree {
  let children: [Tree]
  init(children: [Tree]) { self.children = children }
}
