import Glibc
import HeapGraph
import Testing

@Suite("Memory that is mapped while the heap is read") struct LaterMemoryTests {
  // So many questions that the mappings have been listed before the memory is there.
  @Test("is found, however often other memory was asked about", arguments: [0, 1, 127, 128, 1000])
  func laterMapping(questions: Int) throws {
    let memory = ProcessMemory()
    let old = try Mapping()
    for question in 0..<questions {
      #expect(memory.canRead(old.address + UInt(question) * 8, count: 8))
    }
    #expect(!memory.canRead(8192, count: 8))
    let new = try Mapping()
    new.write(4711)
    #expect(try memory.word(new.address) == 4711)
    #expect(memory.canRead(new.address, count: new.size))
    #expect(!memory.canRead(new.address, count: new.size + 1))
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

  func write(_ word: UInt) { (whole + Int(page)).storeBytes(of: word, as: UInt.self) }
}
