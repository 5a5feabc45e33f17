import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

@Suite("Memory that may not be mapped") struct MemoryCopyTests {
  /// Of arm64's kernels some have pages of 16 or 64 KiB.
  private let page = memory_page_size()

  /// Both ways of asking the kernel.
  enum Way: CaseIterable {
    case direct, pipe

    func copy(_ address: UInt, _ count: Int) -> (answer: Int32, bytes: [UInt8]) {
      var bytes = [UInt8](repeating: 0, count: count)
      let copy = self == .direct ? memory_copy : memory_copy_through_pipe
      return (copy(address, &bytes, count), bytes)
    }
  }

  @Test("is copied where it can be read", arguments: Way.allCases) func readable(way: Way) {
    let source = Array("sixteen letters.".utf8)
    let (answer, bytes) = source.withUnsafeBytes { way.copy(UInt(bitPattern: $0.baseAddress), 16) }
    #expect(answer == 1)
    #expect(bytes == source)
  }

  @Test("is told from memory that can't be read", arguments: Way.allCases)
  func unreadable(way: Way) throws {
    let pages = try #require(mmap(nil, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    mprotect(pages + page, page, PROT_NONE)
    let end = UInt(bitPattern: pages + page)
    let wild: [UInt] = [0x10, 0x7000_0000, end - 8, .max & ~7]
    for address in wild { #expect(way.copy(address, 16).answer == 0) }
    #expect(way.copy(end - 16, 16).answer == 1)
    munmap(pages, 2 * page)
  }

  // As a container asks that forbids `process_vm_readv`, and an emulator that does not have it.
  @Test("is copied through a pipe up to what can't be read") func pipeUpToGap() throws {
    let size = 40 * page
    let pages = try #require(
      mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(pages, size) }
    for number in 0..<40 {
      pages.storeBytes(of: UInt8(number), toByteOffset: number * page, as: UInt8.self)
    }
    mprotect(pages + 20 * page, page, PROT_NONE)
    let start = UInt(bitPattern: pages)
    for (from, expected) in [
      (0, 20 * page), (8, 20 * page - 8), (20 * page, 0), (21 * page, 19 * page),
    ] {
      var bytes = [UInt8](repeating: 0, count: size)
      let copied = memory_copy_some_through_pipe(start + UInt(from), &bytes, size - from)
      #expect(copied == expected)
      for place in stride(from: (from + page - 1) & ~(page - 1), to: from + expected, by: page) {
        #expect(bytes[place - from] == UInt8(place / page))
      }
    }
  }

  // A thread's stack, and behind it the guard of the next thread's.
  @Test("is read up to what can't be read") func upToGap() throws {
    let size = 40 * page
    let pages = try #require(mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(pages, size) }
    mprotect(pages + 20 * page, page, PROT_NONE)
    let start = UInt(bitPattern: pages)
    for (from, expected) in [
      (0, 20 * page), (8, 20 * page - 8), (20 * page, 0), (21 * page, 19 * page),
    ] {
      var read: UInt = 0
      let isReadable = MemoryCopy.readUpToGap(start + UInt(from)..<start + UInt(size)) {
        read += $0.count
      }
      #expect(read == UInt(expected))
      #expect(isReadable == (expected > 0))
    }
  }
}
