import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

@Suite("Memory that is mapped while the heap is read") struct LaterMemoryTests {
  // After a question about much memory, the mappings have been listed before the memory is there.
  @Test("is found, however often other memory was asked about", arguments: [0, 1, 127, 128, 1000])
  func laterMapping(questions: Int) throws {
    let memory = ProcessMemory()
    let old = try Mapping()
    for question in 0..<questions {
      #expect(memory.canRead(old.address + UInt(question) * 8, count: 8))
    }
    if questions > 0 { #expect(memory.canRead(old.address, count: old.size)) }
    #expect(!memory.canRead(8192, count: 8))
    let new = try Mapping()
    new.write(4711)
    #expect(try memory.word(new.address) == 4711)
    #expect(memory.canRead(new.address, count: new.size))
    #expect(!memory.canRead(new.address, count: new.size + 1))
  }

  // A question about more than a page has the mappings listed.
  @Test("is not read where a page in it cannot be, which no listing shows") func guarded() throws {
    let mapping = try Mapping()
    let page = mapping.size / 4
    guard mapping.installGuard(onPage: 1) else { return }
    let memory = ProcessMemory()
    for question in 0..<1000 {
      #expect(memory.canRead(mapping.address + UInt(question % 8) * 8, count: 8))
    }
    #expect(memory.canRead(mapping.address, count: page))
    #expect(!memory.canRead(mapping.address, count: page + 1))
    #expect(!memory.canRead(mapping.address + page, count: 8))
    #expect(memory.canRead(mapping.address + 2 * page, count: 2 * page))
  }
}

/// Memory that nobody has recorded, between two pages that cannot be read.
private final class Mapping {
  let size = 4 * UInt(getpagesize())
  private let whole: UnsafeMutableRawPointer
  private let page = UInt(getpagesize())

  init() throws {
    let room = Int(size + 2 * page)
    whole = try #require(mmap(nil, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    try #require(whole != MAP_FAILED)
    try #require(mprotect(whole + Int(page), Int(size), PROT_READ | PROT_WRITE) == 0)
  }

  deinit { munmap(whole, Int(size + 2 * page)) }

  var address: UInt { UInt(bitPattern: whole) + page }

  /// Makes a page unreadable as glibc does with threads' stacks.
  ///
  /// - Returns: whether this kernel can, which is Linux 6.13 or later. An emulator may say so and do
  ///   nothing.
  func installGuard(onPage number: UInt) -> Bool {
    let install: CInt = 102
    let place = whole + Int(page * (number + 1))
    guard madvise(place, Int(page), install) == 0 else { return false }
    var word: UInt = 0
    return memory_copy_through_pipe(UInt(bitPattern: place), &word, 8) == 0
  }

  func write(_ word: UInt) { (whole + Int(page)).storeBytes(of: word, as: UInt.self) }
}
