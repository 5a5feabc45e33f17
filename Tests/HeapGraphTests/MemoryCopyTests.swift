import CProcessAccess
import Glibc
import Testing

@Suite("Memory that may not be mapped") struct MemoryCopyTests {
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
    let page = try #require(mmap(nil, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    mprotect(page + 4096, 4096, PROT_NONE)
    let wild: [UInt] = [0x10, 0x7000_0000, UInt(bitPattern: page) + 4096 - 8, .max & ~7]
    for address in wild {
      #expect(way.copy(address, 16).answer == 0)
    }
    #expect(way.copy(UInt(bitPattern: page) + 4096 - 16, 16).answer == 1)
    munmap(page, 8192)
  }
}
