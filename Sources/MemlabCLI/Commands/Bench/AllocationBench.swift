import HeapGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What an allocation with its free costs, with and without the recorder.
enum AllocationBench {
  private static let pairs = 500_000
  private static let size = 48

  /// The time of one pair while nothing is recorded: what other figures are measured in.
  static func pair() -> Duration { best(of: 5, loop) / pairs }

  /// How much slower a pair is while blocks are recorded.
  static func ratio() -> BenchReport.Ratio {
    let off = best(of: 5, loop)
    HeapRecording.start()
    let on = best(of: 5, loop)
    HeapRecording.stop()
    return .init(
      name: "recording",
      meaning: "malloc and free of \(size) bytes while blocks are recorded, over the same without",
      ratio: on / off)
  }

  // Several blocks at a time, as programs have them: one and the same would stay in a register.
  private static func loop() {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 16) { blocks in
      for _ in 0..<pairs / 16 {
        for index in 0..<16 { blocks[index] = malloc(size) }
        for index in 0..<16 { free(blocks[index]) }
      }
    }
  }
}

/// The shortest time that a body takes: what disturbs it makes it longer, never shorter.
func best(of times: Int, _ body: () throws -> Void) rethrows -> Duration {
  var shortest = try ProcessorTime.of(body)
  for _ in 1..<times { shortest = min(shortest, try ProcessorTime.of(body)) }
  return shortest
}
