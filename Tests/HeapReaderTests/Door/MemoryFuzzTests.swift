import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  /// Copies of real blocks with some bits flipped are read as the heap is.
  @Suite("Blocks with flipped bits") struct MemoryFuzzTests {
    /// How many bits are flipped: more with `make fuzz-memory`.
    private static var mutations: Int { number("MEMLAB_FUZZ_MEMORY") ?? 20_000 }
    /// Where the random numbers begin.
    private static var seed: UInt64 { number("MEMLAB_FUZZ_SEED").map(UInt64.init) ?? 1 }

    private static func number(_ variable: String) -> Int? {
      getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    @Test("are read without a trap") func blocks() async {
      print("flipping \(Self.mutations) bits, MEMLAB_FUZZ_SEED=\(Self.seed)")
      // Swift 6.2 lets nothing be captured here; the other process has the same environment.
      await #expect(processExitsWith: .success, "MEMLAB_FUZZ_SEED=\(Self.seed)") {
        let zoo = await Zoo()
        var heap = FuzzedHeap(copying: zoo, seed: Self.seed)
        let mutations = Self.mutations
        while heap.mutations < mutations { try heap.read() }
        zoo.end()
      }
    }

    @Test("are read without a trap, where they are names") func names() {
      var random = SeededGenerator(state: Self.seed)
      let real: [StaticString] = ["SiXw", "s9UnmanagedVyC", "\u{1}abcd_pXo", "Sa\u{2}\0\0\0\0G"]
      for _ in 0..<Self.mutations / 10 {
        let text = real.randomElement(using: &random) ?? ""
        var bytes = text.withUTF8Buffer { Array($0) } + [0]
        for _ in 0..<10 { bytes.flipBit(using: &random) }
        bytes.withUnsafeBytes { buffer in
          let start = UInt(bitPattern: buffer.baseAddress)
          let region = Region(proven: start, count: UInt(buffer.count))
          _ = MangledName(at: start, in: region)?.plainOwnership
          _ = region.text(at: start)
        }
      }
    }
  }
}
