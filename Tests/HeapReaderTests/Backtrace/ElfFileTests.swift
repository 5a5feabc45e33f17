import Foundation
import MemlabHeapModel
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

  @Test("is the program before it was stripped only if the code is the same")
  func unstripped() throws {
    try withCopy { path in
      #expect(ElfFile.isUnstripped(own.path, of: path))
      let code = try #require(ElfFile(path: path)?.section(named: ".text")?.prefix(64))
      let bytes = try Data(contentsOf: own, options: .mappedIfSafe)
      let offset = try #require(bytes.firstRange(of: Data(code))?.lowerBound)
      let handle = try FileHandle(forUpdating: URL(filePath: path))
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: [0xFF, 0xFE, 0xFD])
      try handle.close()
      for other in [own.path, "/dev/zero", "/"] { #expect(!ElfFile.isUnstripped(other, of: path)) }
    }
  }

  @Test("has the line of a function that calls another, and not that of the other in its code")
  func inlined() throws {
    let library = try Clang.library(
      of: Repository.url("Tests/Fixtures/InlinedCall/inlined_call.c"), at: Scratch.place())
    let address = try #require(dlsym(dlopen(library, RTLD_NOW), "outer"))
    #expect(Symbolizer.shared.symbol(at: UInt(bitPattern: address))?.location?.line == 5)
  }
}
