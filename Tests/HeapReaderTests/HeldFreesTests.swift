import CMemlabRecorder
import Glibc
import Testing

extension HeapWitness {
  /// What is freed while a snapshot is taken may still be read for it.
  @Suite("A block whose memory is held") struct HeldFreesTests {
    @Test("refers to no other that is held") func links() async {
      // In a process of its own: nobody else's snapshot may hold or release in between.
      await #expect(processExitsWith: .success) {
        try recorded {
          let blocks = (0..<3).compactMap { _ in calloc(1, 64) }
          try #require(heap_recorder_hold_frees())
          defer { heap_recorder_release_frees() }
          for block in blocks { free(block) }
          for block in blocks { #expect(references(in: block) == []) }
        }
      }
    }

    @Test("goes back to the allocator when it is released") func released() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          let blocks = (0..<3).compactMap { _ in malloc(1000) }
          try #require(heap_recorder_hold_frees())
          for block in blocks { free(block) }
          heap_recorder_release_frees()
          // The allocator keeps what a thread frees for that thread's next blocks.
          #expect(Set((0..<3).compactMap { _ in malloc(1000) }) == Set(blocks))
        }
      }
    }
  }
}

/// The words of a block of 64 bytes that are addresses, with or without the bits of a tag.
private func references(in block: UnsafeMutableRawPointer) -> [UInt] {
  let start = UInt(bitPattern: block)
  var (places, count) = ([UInt](repeating: 0, count: 32), 0)
  _ = words_within(start, start + 64, .max >> 8 & ~7, 4096, 1 << 47, &places, places.count, &count)
  return Array(places.prefix(count))
}
