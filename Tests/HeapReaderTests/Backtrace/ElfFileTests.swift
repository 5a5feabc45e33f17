import Foundation
import MemlabPlatform
import TestSupport
import Testing

@testable import MemlabHeapReader

@Suite("A file of symbols that is not of the program that runs") struct ElfFileTests {
  private let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

  private func withCopy(_ body: (String) throws -> Void) throws {
    let copy = Scratch.place()
    try FileManager.default.copyItem(at: own, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    try body(copy.path)
  }

  @Test("is read, so that to cut it short ends nobody") func truncated() throws {
    try withCopy { path in
      let file = try #require(ElfFile(path: path, isLoaded: false))
      #expect(file.section(named: ".text")?.first { $0 != 0 } != nil)
      try #require(truncate(path, 100) == 0)
      // The header was read before; the rest is zeros.
      #expect(file.section(named: ".symtab") == nil)
    }
  }

  @Test("is the program before it was stripped only if the code is the same") func unstripped()
    throws
  {
    try withCopy { path in
      #expect(ElfFile.isUnstripped(own.path, of: path))
      let offset = try #require(try Data(contentsOf: own, options: .mappedIfSafe).textOffset)
      let handle = try FileHandle(forUpdating: URL(filePath: path))
      try handle.seek(toOffset: offset)
      try handle.write(contentsOf: [0xFF, 0xFE, 0xFD])
      try handle.close()
      #expect(!ElfFile.isUnstripped(own.path, of: path))
      #expect(!ElfFile.isUnstripped("/dev/zero", of: path))
      #expect(!ElfFile.isUnstripped("/", of: path))
    }
  }
}

extension Data {
  /// Where the code of an ELF file begins: the place of its entry, which is in it.
  fileprivate var textOffset: UInt64? {
    withUnsafeBytes { bytes in
      let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
      let segments = (0..<Int(header.e_phnum)).map { index in
        bytes.loadUnaligned(
          fromByteOffset: Int(header.e_phoff) + index * MemoryLayout<Elf64_Phdr>.size,
          as: Elf64_Phdr.self)
      }
      return segments.first { segment in
        segment.p_type == 1
          && (segment.p_vaddr..<segment.p_vaddr + segment.p_filesz).contains(header.e_entry)
      }.map { header.e_entry - $0.p_vaddr + $0.p_offset }
    }
  }
}
