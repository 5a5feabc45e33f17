import CMemlabRecorder
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization
import Testing

extension HeapWitness {
  @Suite("What a snapshot is asked about") struct TracingTests {
    @Test("decides how long it takes, not what it says", arguments: [true, false])
    func sameAnswers(isAsked: Bool) throws {
      defer { globalHolder = nil }
      let types: Set = [isAsked ? name(Holder.self) : "Nobody"]
      try recorded {
        globalHolder = Holder()
        globalHolder?.any = globalHolder
        let (all, some) = try (HeapSnapshot.take(), HeapSnapshot.take(survivors: types))
        #expect(some.retainChains(to: types) == all.retainChains(to: types))
        for snapshot in [some, all] {
          #expect(snapshot.liveInstances[name(Holder.self)] == 1)
          #expect(snapshot.cycles(of: Holder.self).isEmpty)
        }
        globalHolder?.any = nil
      }
    }

    @Test("a cycle without a root is seen though nobody asks about it") func unaskedCycle() throws {
      var screen: Unmanaged<Screen>?
      try recorded {
        let new = Screen()
        new.subscribe()
        screen = .passUnretained(new)
        let snapshot = try HeapSnapshot.take(survivors: [])
        #expect(snapshot.cycleCount >= 1)
        #expect(snapshot.cycles(of: Screen.self).count == 1)
      }
      screen?.takeUnretainedValue().subscription = nil
    }

    @Test("words within a range are found wherever they stand", arguments: 0..<40)
    func wordsWithin(place: Int) {
      let (lowest, span): (UInt, UInt) = (0x7f00_0000_1000, 0x2000)
      let tag: UInt = 0x4200_0000_0000_0005
      let inside = [lowest, lowest + 8, lowest + span - 8, lowest + span, lowest | tag]
      let outside = [lowest - 8, lowest + span + 8, 0, .max, (lowest - 8) | tag, lowest | 1 << 55]
      for (index, word) in (inside + outside).enumerated() {
        var words = [UInt](repeating: outside[index % outside.count], count: 40)
        words[place] = word
        let wanted = words.indices.filter { inside.contains(words[$0]) }
        #expect(found(in: words, lowest, span, atMost: 64) == wanted)
        #expect(found(in: words, lowest, span, atMost: 16) == wanted)
      }
    }

    private func found(
      in words: [UInt], _ lowest: UInt, _ span: UInt, atMost capacity: Int
    ) -> [Int] {
      var found: [Int] = []
      words.withUnsafeBytes { bytes in
        let start = UInt(bitPattern: bytes.baseAddress)
        let end = start + UInt(bytes.count)
        var (next, count) = (start, 0)
        var places = [UInt](repeating: 0, count: capacity)
        while next + 8 <= end {
          next = memlab_words_within(
            next, end, 0x00ff_ffff_ffff_fff8, lowest, span, &places, capacity, &count)
          found += places.prefix(count).map { Int($0 - start) / 8 }
        }
      }
      return found
    }
  }
}

extension HeapWitness {
  @Suite("A kernel without membarrier") struct UnheldFreesTests {
    @Test("gives no snapshot", .enabled(if: canFilter, "system calls cannot be forbidden here"))
    func noSnapshot() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          _ = try HeapSnapshot.take()
          try #require(forbidMembarrier())
          #expect(throws: HeapError.unheldFrees) { try HeapSnapshot.take() }
          #expect(throws: HeapError.unheldFrees) { try HeapSelfCheck.run() }
        }
      }
    }
  }
}

private typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt

private let prctl = memlab_loaded_symbol("prctl").map { unsafeBitCast($0, to: Control.self) }

/// Whether there are filters of system calls: qemu-user has none, and says so when it is asked
/// whether there is one already.
private let canFilter: Bool = {
  let getSeccomp = CInt(21)
  return prctl?(getSeccomp, 0, 0, 0, 0) ?? -1 >= 0
}()

/// The number of `membarrier`: `asm/unistd_64.h` on x86-64, `asm-generic/unistd.h` elsewhere.
private let membarrier: UInt64 = {
  #if arch(x86_64)
    324
  #else
    283
  #endif
}()

/// Lets the calling thread's `membarrier` fail, as it does on an old kernel: a filter of system calls.
private func forbidMembarrier() -> Bool {
  guard let prctl else { return false }
  let (noNewPrivileges, seccomp, withFilter) = (CInt(38), CInt(22), UInt(2))
  // Load the call's number; if it is this one, error 38 (ENOSYS); else let it pass.
  var filter: [UInt64] = [
    0x20, membarrier << 32 | 1 << 24 | 0x15, 0x0005_0026 << 32 | 0x06, 0x7fff_0000 << 32 | 0x06,
  ]
  return filter.withUnsafeMutableBytes { filter in
    var program = (UInt(4), UInt(bitPattern: filter.baseAddress))
    return withUnsafeMutablePointer(to: &program) { program in
      prctl(noNewPrivileges, 1, 0, 0, 0) == 0
        && prctl(seccomp, withFilter, UInt(bitPattern: program), 0, 0) == 0
    }
  }
}

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
  _ = memlab_words_within(
    start, start + 64, .max >> 8 & ~7, 4096, 1 << 47, &places, places.count, &count)
  return Array(places.prefix(count))
}

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
            let snapshot = try HeapSnapshot.take()
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

/// Threads that allocate, link and free without a pause.
final class Hammer: Sendable {
  final class Link {
    var next: Link?
    var words = [Int](repeating: 7, count: 20)
    init(next: Link?) { self.next = next }
  }

  private let isStopped = Atomic(false)
  // Set before anybody else knows this object.
  nonisolated(unsafe) private var threads: [SystemThread] = []

  init(threads count: Int) {
    threads = (0..<count).compactMap { _ in SystemThread { [self] in work() } }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    for thread in threads { thread.join() }
  }

  private func work() { while !isStopped.load(ordering: .acquiring) { round() } }

  private func round() {
    var head: Link?
    for _ in 0..<50 { head = Link(next: head) }
    head?.words.append(contentsOf: [Int](repeating: 1, count: 100_000))
    free(malloc(1 << 20))
  }
}
