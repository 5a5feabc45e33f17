import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

private final class Registry: Sendable {
  static let shared = Registry()
  nonisolated(unsafe) static var entries: [Int] = [1]
}

nonisolated(unsafe) private var standalone: (first: Int, second: Int) = (1, 2)

@Suite("The symbolizer") struct BacktraceSymbolizerTests {
  @Test("names a static variable with its type") func staticVariable() throws {
    try withUnsafePointer(to: &Registry.entries) { pointer in
      let symbol = try #require(Symbolizer.shared.symbol(at: pointer))
      #expect(symbol.name == "Registry.entries")
      #expect(symbol.module == "HeapReaderTests")
      #expect(symbol.isData)
      #expect(!symbol.isLibrary)
    }
  }

  @Test(
    "knows the runtime's C++ functions, and the program's with types of the runtime",
    arguments: [
      ("_ZN5swift9TaskGroup5offerEPNS_9AsyncTaskE", true),
      ("_ZNK5swift14TargetMetadataINS_9InProcessEE7getKindEv", true),
      ("_ZTVN5swift7JobTypeE", true), ("_ZN12_GLOBAL__N_115TaskQueueE_addN5swift3JobE", true),
      ("_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE", true),
      ("_Z4showN5swift6StringE", false), ("_ZN15swift_protocols4readEv", false),
      ("$s5swift4showyyF", false),
    ])
  func runtime(name: String, isOfRuntime: Bool) {
    #expect(LibraryCode.isOfRuntime(name) == isOfRuntime)
  }

  // With -O it is part of the program, which else allocates it.
  @Test("names a constant after its variable") func constant() {
    let symbol = Symbolizer.shared.symbol(at: Unmanaged.passUnretained(Registry.shared).toOpaque())
    #if DEBUG
      #expect(symbol == nil)
    #else
      #expect(symbol?.name == "Registry.shared")
    #endif
  }

  @Test("names a global from an address inside it") func insideGlobal() throws {
    try withUnsafePointer(to: &standalone.second) { pointer in
      let symbol = try #require(Symbolizer.shared.symbol(at: pointer))
      #expect(symbol.name == "standalone")
      #expect(symbol.offset == 8)
    }
  }

  @Test("names a C library's function") func libraryFunction() throws {
    let address = try #require(dlsym(nil, "getpid"))
    let symbol = try #require(Symbolizer.shared.symbol(at: address))
    #expect(symbol.name.contains("getpid"))
    #expect(symbol.library.hasPrefix("libc.so"))
    #expect(symbol.isLibrary)
    #expect(symbol.file == nil)
  }

  @Test("knows nothing of the heap and of the stack") func noSymbol() {
    let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    defer { block.deallocate() }
    #expect(Symbolizer.shared.symbol(at: block) == nil)
    var local = 0
    withUnsafePointer(to: &local) { #expect(Symbolizer.shared.symbol(at: $0) == nil) }
  }

  @Test("answers the same from the cache and from several threads") func threads() async throws {
    let address = UInt(bitPattern: try #require(dlsym(nil, "malloc")))
    let names = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<64 {
        group.addTask {
          UnsafeRawPointer(bitPattern: address).flatMap { Symbolizer.shared.name(of: $0) }
        }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(names.first??.contains("malloc") == true)
  }
}
