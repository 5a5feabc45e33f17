import MemlabCLI
import MemlabHeapModel
import MemlabHeapReader
import MemlabTerminalText

/// What an allocation with its free costs, with and without the recorder.
enum AllocationBench {
  private static let pairs = 500_000
  private static let size = 48
  private static let many = 10_000

  /// The time of one pair while nothing is recorded: what other figures are measured in.
  static func pair() -> Duration { best(of: 5, loop) / pairs }

  /// How much slower pairs are while blocks are recorded.
  static func ratios() -> [BenchReport.Ratio] {
    [
      ratio("recording", "malloc and free of \(size) bytes", loop),
      ratio("recording-many", "malloc of \(many) blocks of \(size) bytes, then free of all", all),
    ]
  }

  private static func ratio(
    _ name: String, _ what: String, _ body: () -> Void
  ) -> BenchReport.Ratio {
    let off = best(of: 5, body)
    HeapRecording.start()
    let on = best(of: 5, body)
    HeapRecording.stop()
    return .init(
      name: name, meaning: what + " while blocks are recorded, over the same without",
      ratio: on / off)
  }

  // Several blocks at a time, as programs have them: one and the same would stay in a register.
  private static func loop() { pass(16) }

  // More than a thread keeps of those that it has freed.
  private static func all() { pass(many) }

  // Not inlined: of a number of blocks that it knows, the compiler sees that nobody uses any.
  @inline(never) private static func pass(_ count: Int) {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: count) { blocks in
      for _ in 0..<pairs / count {
        for index in 0..<count { blocks[index] = malloc(size) }
        for index in 0..<count { free(blocks[index]) }
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

/// What it costs to read a heap and to find the path to one object in it.
enum ReadingBench {
  private final class Node {
    var left: AnyObject?
    var right: AnyObject?
  }
  private final class Treasure {}

  // A global root, as the reader has no other here.
  nonisolated(unsafe) private static var root: AnyObject?

  /// Reads a tree of this many objects, with one of another class at its end.
  ///
  /// - Parameters:
  ///   - blocks: How many objects to make.
  ///   - pair: The time that the figures are measured in.
  /// - Throws: `BenchError` when the object is not found, and what a snapshot throws.
  static func reading(of blocks: Int, in pair: Duration) throws -> BenchReport.Reading {
    #if MEMLAB_PORTABLE
      throw HeapError.unread
    #else
      HeapRecording.start()
      defer { HeapRecording.stop() }
      root = tree(of: blocks)
      defer { root = nil }
      var (snapshot, path) = (Duration.seconds(3_600), Duration.seconds(3_600))
      for _ in 0..<3 {
        var read: HeapSnapshot?
        snapshot = min(snapshot, try ProcessorTime.of { read = try HeapSnapshot.take() })
        path = min(path, try ProcessorTime.of { try find(in: read, among: blocks) })
      }
      return .init(
        blocks: blocks, snapshotPerBlock: snapshot / pair / Double(blocks),
        pathPerBlock: path / pair / Double(blocks))
    #endif
  }

  #if !MEMLAB_PORTABLE
    private static func find(in snapshot: HeapSnapshot?, among blocks: Int) throws(BenchError) {
      let chains = snapshot?.retainChains(to: [TypeName.qualified(Treasure.self)]) ?? []
      guard let snapshot, snapshot.blocks >= blocks, chains.count == 1, !chains[0].links.isEmpty
      else { throw BenchError("what was planted among \(blocks) blocks was not found") }
    }
  #endif

  /// A tree as flat as can be, because releasing a long list would need a long stack.
  private static func tree(of count: Int) -> AnyObject {
    guard count > 1 else { return Treasure() }
    let (node, left) = (Node(), (count - 1) / 2)
    node.left = left > 0 ? leaves(left) : nil
    node.right = tree(of: count - 1 - left)
    return node
  }

  private static func leaves(_ count: Int) -> AnyObject {
    let (node, left) = (Node(), (count - 1) / 2)
    if left > 0 { node.left = leaves(left) }
    if count - 1 - left > 0 { node.right = leaves(count - 1 - left) }
    return node
  }
}
