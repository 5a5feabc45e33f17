import HeapGraph

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
    HeapRecording.start()
    defer { HeapRecording.stop() }
    root = tree(of: blocks)
    defer { root = nil }
    var (snapshot, path) = (Duration.seconds(3_600), Duration.seconds(3_600))
    for _ in 0..<3 {
      var read: HeapSnapshot?
      snapshot = min(snapshot, try ProcessorTime.of { read = try .take(scanningStack: false) })
      path = min(path, try ProcessorTime.of { try find(in: read, among: blocks) })
    }
    return .init(
      blocks: blocks, snapshotPerBlock: snapshot / pair / Double(blocks),
      pathPerBlock: path / pair / Double(blocks))
  }

  private static func find(in snapshot: HeapSnapshot?, among blocks: Int) throws(BenchError) {
    let name = TypeName.qualified(Treasure.self)
    let chains = snapshot?.retainChains(to: [name]) ?? []
    guard let snapshot, snapshot.blocks >= blocks, chains.count == 1, !chains[0].links.isEmpty
    else {
      throw BenchError("what was planted among \(blocks) blocks was not found")
    }
  }

  /// A tree as flat as can be, for letting go of a long list would need a long stack.
  private static func tree(of count: Int) -> AnyObject {
    guard count > 1 else { return Treasure() }
    let node = Node()
    let left = (count - 1) / 2
    node.left = left > 0 ? leaves(left) : nil
    node.right = tree(of: count - 1 - left)
    return node
  }

  private static func leaves(_ count: Int) -> AnyObject {
    let node = Node()
    let left = (count - 1) / 2
    if left > 0 { node.left = leaves(left) }
    if count - 1 - left > 0 { node.right = leaves(count - 1 - left) }
    return node
  }
}
