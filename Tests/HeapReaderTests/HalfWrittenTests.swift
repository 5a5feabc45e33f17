import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  /// Another thread may be about to fill a buffer when it is read.
  @Suite("An array that is half written") struct HalfWrittenTests {
    @Test("is read as far as it goes") func count() async {
      // In a process of its own: where the count is believed, it traps.
      await #expect(processExitsWith: .success) {
        for forged in [0x1FFF_FFFF_FFFF_FFFF, UInt.max, 1 << 61] {
          try recorded {
            let array = [Leaf(), Leaf()]
            let address = unsafeBitCast(array, to: UInt.self)
            let count = try #require(UnsafeMutableRawPointer(bitPattern: address)) + 16
            let real = count.load(as: UInt.self)
            count.storeBytes(of: forged, as: UInt.self)
            let snapshot = try HeapSnapshot.take(scanningStack: false)
            count.storeBytes(of: real, as: UInt.self)
            let paths = snapshot.retainChains(to: [name(Leaf.self)])
            #expect(paths.map(\.referencesFound) == [1, 1], "\(forged)")
            withExtendedLifetime(array) {}
          }
        }
      }
    }
  }
}
