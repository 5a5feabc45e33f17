import CMemlabRecorder
import FoundationEssentials
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import TestSupport
import Testing

extension HeapWitness {
  @Suite("The recorder") struct RecorderTests {
    // What is counted is counted in a process of its own, where no other test allocates.
    @Test("counts what is allocated and not freed") func counting() async {
      await #expect(processExitsWith: .success) {
        let (before, during, after) = recorded {
          let (before, block) = (HeapRecording.live, Allocation.malloc.make())
          let during = HeapRecording.live
          free(block)
          return (before, during, HeapRecording.live)
        }
        #expect(during.blocks == before.blocks + 1)
        #expect(during.bytes == before.bytes + 4096)
        #expect(after.blocks == before.blocks)
      }
    }

    @Test("every entry point of the allocator is noted") func entryPoints() async {
      await #expect(processExitsWith: .success) {
        for allocation in Allocation.allCases {
          let (before, during, after) = recorded {
            let (before, block) = (HeapRecording.live.bytes, allocation.make())
            let during = HeapRecording.live.bytes
            free(block)
            return (before, during, HeapRecording.live.bytes)
          }
          #expect(during == before + 4096, "\(allocation)")
          #expect(after == before, "\(allocation)")
        }
      }
    }

    // In a process of its own: what other tests of this one record has less room.
    @Test("tells a block's room as glibc does where it does not record") func room() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.stop()
        typealias Room = @convention(c) (UnsafeMutableRawPointer?) -> Int
        let library = try #require(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD))
        let room = unsafeBitCast(try #require(dlsym(library, "malloc_usable_size")), to: Room.self)
        // The largest has a mapping to itself, whatever was freed before.
        for size in [1, 24, 25, 40, 4096, 1 << 20, 5 << 20, 40 << 20] {
          for alignment in [16, 64, 4096] {
            var block: UnsafeMutableRawPointer?
            #expect(posix_memalign(&block, alignment, size) == 0)
            let own = memlab_heap_block_room(
              heap_block(address: UInt(bitPattern: block), packed: 0))
            #expect(own == room(block))
          }
        }
      }
    }

    // glibc gives away a whole chunk whose rest would be too small for one of its own. Chunks that are
    // freed side by side become one, so each needs a small block behind it. Those that were freed before
    // are given away first, wherever they lie.
    @Test("a recorded block has as much room as its size asks for, whatever chunk it has got")
    func roomInLongChunk() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.start()
        var long: [UnsafeMutableRawPointer] = []
        for _ in 0..<10_000 where long.count < 300 {
          let block = Allocation.block(of: 40_024)
          let wall = Allocation.block(of: 24)
          if let block, wall == block + 40_032 { long.append(block) }
        }
        for block in long { free(block) }
        let short = (0..<300).map { _ in
          heap_block(address: UInt(bitPattern: Allocation.block(of: 40_008)), packed: 0)
        }
        #expect(short.allSatisfy { memlab_heap_block_room($0) == 40_008 })
        HeapRecording.stop()
        #expect(short.contains { memlab_heap_block_room($0) == 40_024 })
      }
    }

    enum Allocation: CaseIterable {
      case malloc, calloc, realloc, grown, aligned, posix

      @inline(never) static func block(of size: Int) -> UnsafeMutableRawPointer? {
        Glibc.malloc(size)
      }

      // Not inlined: the compiler would do without a block that nobody uses.
      @inline(never) func make() -> UnsafeMutableRawPointer? {
        var block: UnsafeMutableRawPointer?
        switch self {
        case .malloc: return Self.block(of: 4096)
        case .calloc: return Glibc.calloc(64, 64)
        case .realloc: return Glibc.realloc(nil, 4096)
        case .grown: return Glibc.realloc(Glibc.malloc(8), 4096)
        case .aligned: return Glibc.aligned_alloc(1024, 4096)
        case .posix: return posix_memalign(&block, 256, 4096) == 0 ? block : nil
        }
      }
    }

    @Test(
      "a block has nothing of its last owner's in it, and none of its neighbour's",
      arguments: [0, 1, 7, 8, 9, 16, 23, 24, 25, 31, 40, 48, 56, 57, 95, 96, 97, 128, 500, 16384])
    func cleared(size: Int) {
      let before = (0..<32).compactMap { _ in Glibc.malloc(size) }
      for block in before { memset(block, 0xAA, room(for: size)) }
      for block in before { free(block) }
      recorded {
        let blocks = (0..<32).compactMap { _ in Glibc.malloc(size) }
        for block in blocks {
          #expect(UnsafeMutableRawBufferPointer(start: block, count: size).allSatisfy { $0 == 0 })
          memset(block, 0x55, room(for: size))
        }
        let others = (0..<32).compactMap { _ in Glibc.malloc(size) }
        #expect(blocks.allSatisfy { isFilled($0, room(for: size)) })
        for block in blocks + others { free(block) }
      }
    }

    // What glibc lets a block of this size use.
    private func room(for size: Int) -> Int { max(24, ((size + 23) & ~15) - 8) }

    private func isFilled(_ block: UnsafeMutableRawPointer, _ count: Int) -> Bool {
      UnsafeMutableRawBufferPointer(start: block, count: count).allSatisfy { $0 == 0x55 }
    }

    @Test("a block freed while recording was off is no survivor later") func freedWhileOff() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.start()
        let block = Allocation.malloc.make()
        HeapRecording.stop()
        free(block)
        #expect(recorded { HeapRecording.live.bytes } < 4096)
      }
    }

    @Test("nothing is recorded in withoutRecording") func paused() async {
      await #expect(processExitsWith: .success) {
        let (before, after) = recorded {
          let before = HeapRecording.live.bytes
          let block = HeapRecording.withoutRecording { Allocation.malloc.make() }
          defer { free(block) }
          return (before, HeapRecording.live.bytes)
        }
        // Another thread of the test runner may have made a small block meanwhile.
        #expect(after - before < 4096)
      }
    }

    @Test("a mapping is noted once, and without what was given back") func mappings() throws {
      let (page, most) = (Int(getpagesize()), HEAP_RECORDER_MAPPINGS)
      func map(_ place: UnsafeMutableRawPointer?, pages: Int, _ flags: Int32 = 0) throws
        -> UnsafeMutableRawPointer
      {
        try #require(
          mmap(place, pages * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0))
      }
      let arena = try map(nil, pages: 4)
      for _ in 0...most { _ = try map(arena, pages: 1, MAP_FIXED) }
      try #require(heap_recorder_mappings() > 0)
      let room = try map(nil, pages: 3)
      let middle = UInt(bitPattern: room) + UInt(page)
      func noted() -> [Range<UInt>] {
        (0..<heap_recorder_mappings()).map(heap_recorder_mapping).map { $0.start..<$0.end }
      }
      for place in [room, room + 2 * page] { munmap(place, page) }
      #expect(noted().contains(middle..<middle + UInt(page)))
      // The kernel takes the whole page.
      munmap(room + page, 1)
      #expect(!noted().contains { $0.contains(middle) })
    }

    @Test("there is no snapshot without recording") func off() {
      // On from the start where LeakCheck is linked, as in this process.
      HeapRecording.stop()
      #expect(throws: HeapError.notRecording) { try HeapSnapshot.take() }
    }

    @Test("snapshots may be taken while eight threads allocate") func hammer() throws {
      try recorded {
        let hammer = Hammer(threads: 8)
        for _ in 0..<50 { _ = try HeapSnapshot.take() }
        hammer.stop()
        #expect(try HeapSnapshot.take().liveInstances[name(Hammer.Link.self)] == nil)
      }
    }
  }
}

@Suite("The recorder is built") struct RecorderPlatformTests {
  @Test(
    "only for processors whose addresses its directory has a place for",
    arguments: [("x86_64", 1), ("aarch64", 1), ("riscv64", 0), ("s390x", 0)])
  func processor(name: String, isAvailable: Int) throws {
    let folder = Repository.url("Sources/Heap/CMemlabRecorder").path
    try Clang.run([
      "--target=\(name)-unknown-linux-gnu", "-D__GLIBC__=2",
      "-ffreestanding", "-nostdlibinc", "-I", "\(folder)/include", "-I",
      "\(folder)/../CMemlabProcess/include", "-E", "-dM", "\(folder)/platform.h",
    ]).exits(0).says("\n#define HEAP_RECORDER_AVAILABLE \(isAvailable)\n")
  }
}

extension HeapWitness {
  /// While it records, a thread uses small blocks again that it has freed, without asking glibc. Each
  /// test has a process of its own, where it knows which.
  @Suite("A small block that was freed") struct SpareBlockTests {
    @Test("is used again by its thread, and counts as freed until then") func reused() async {
      await #expect(processExitsWith: .success) {
        recorded {
          free(blocks(1)[0])
          let (old, before) = (blocks(50), HeapRecording.live.blocks)
          for block in old { free(block) }
          // The program may have made a few others meanwhile.
          #expect(HeapRecording.live.blocks < before - 40)
          #expect(Set(blocks(50)).intersection(old).count > 40)
          #expect(HeapRecording.live.blocks > before - 10)
        }
      }
    }

    @Test("is not used again while frees are held") func held() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          free(blocks(1)[0])
          let old = blocks(10)
          try #require(heap_recorder_hold_frees())
          defer { heap_recorder_release_frees() }
          for block in old { free(block) }
          #expect(Set(blocks(10)).isDisjoint(with: old))
        }
      }
    }

    // The last thread's memory is given to the next one by glibc, since 2.43 cut in other places.
    @Test("goes back to the allocator when its thread ends") func endOfThread() async {
      await #expect(processExitsWith: .success) {
        recorded {
          nonisolated(unsafe) var first: Set<UnsafeMutableRawPointer> = []
          nonisolated(unsafe) var second: Set<UnsafeMutableRawPointer> = []
          SystemThread { first = Set(allocateAndFree(10)) }?.join()
          SystemThread { second = Set(allocateAndFree(10)) }?.join()
          #expect(first.count == 10)
          #expect(second.filter { $0 < first.max() ?? $0 }.count >= 5)
        }
      }
    }

    // What it was when it was noted is not what it is now.
    @Test("has the size that it was given last") func shrunk() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.start()
        free(blocks(1)[0])
        let block = blocks(1, of: 96)[0]
        HeapRecording.stop()
        try #require(realloc(block, 8) == block)
        recorded {
          free(block)
          #expect(!blocks(10, of: 96).contains(block))
        }
      }
    }

    // Only since Swift 6.3 may the body of an exit test capture something.
    @Test("and is freed once more ends the process, as without recording") func twice() async {
      await #expect(processExitsWith: .signal(SIGABRT)) { freeTwice(after: 0) }
      await #expect(processExitsWith: .signal(SIGABRT)) { freeTwice(after: 5) }
    }
  }
}

private func freeTwice(after others: Int) {
  HeapRecording.start()
  free(blocks(1)[0])
  let all = blocks(others + 1)
  for block in all { free(block) }
  free(all[0])
}

/// Not inlined: the compiler would do without blocks that nobody uses. The array is made at once, and is
/// no small block.
@inline(never) private func blocks(_ count: Int, of size: Int = 48) -> [UnsafeMutableRawPointer] {
  var blocks: [UnsafeMutableRawPointer] = []
  blocks.reserveCapacity(100)
  for _ in 0..<count { blocks.append(Glibc.malloc(size)!) }
  return blocks
}

private func allocateAndFree(_ count: Int) -> [UnsafeMutableRawPointer] {
  let made = blocks(count)
  for block in made { free(block) }
  return made
}
