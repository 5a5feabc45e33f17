import Glibc
import HeapGraph
import Testing

extension HeapWitness {
  @Suite("What freed memory has left in new memory") struct StaleWordTests {
    // Of two words that mean one reference, the later one in memory is the first to count as a leftover,
    // if nothing else tells.
    @Test(
      "is not mistaken for the context that a function is called with", arguments: [true, false])
    func context(staleFirst: Bool) throws {
      let function: @convention(c) () -> Void = {}
      let chain = try recorded {
        let table = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        let used = (0..<2).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 6) }.sorted()
        let leaf = Unmanaged.passRetained(Leaf())
        defer {
          leaf.release()
          for block in used + [table] { block.deallocate() }
          globalNumber = 0
        }
        for block in used { block.update(repeating: 0, count: 6) }
        let address = UInt(bitPattern: leaf.toOpaque())
        let (old, new) = staleFirst ? (used[0], used[1]) : (used[1], used[0])
        (old[1], new[0], new[1]) = (address, unsafeBitCast(function, to: UInt.self), address)
        table.update(repeating: 0, count: 4)
        (table[0], table[1]) = (UInt(bitPattern: old), UInt(bitPattern: new))
        globalNumber = UInt(bitPattern: table)
        return try HeapSnapshot.take().retainChains(to: [name(Leaf.self)]).first
      }
      let last = try #require(chain?.links.last)
      #expect(chain?.retainCount == 1)
      #expect(last.kind == .memory && last.closure != nil, "\(last)")
    }
  }
}
