import CMemlabRecorder
import Dispatch
import Glibc
import MemlabHeapModel
import MemlabHeapReader

/// One of everything that the readers know, and the blocks that it is made of.
final class Zoo: Sendable {
  /// The blocks, in order of address.
  let blocks: [heap_block]
  nonisolated(unsafe) private let animals: [Any]
  private let tasks: [Task<Void, Never>]
  private let stream: AsyncStream<Leaf>.Continuation

  private enum Shape {
    case one(Leaf)
    case two(Leaf, Int)
    indirect case three(Shape)
    case none
  }

  private struct Failure: Error { let leaf = Leaf() }

  private struct Pair<Element> { var (first, second): (Element, Int) }

  private class Cage<Content> {
    var content: Content
    var pair: Pair<Content>
    weak var neighbour: Leaf?
    unowned var keeper: Leaf
    lazy var late = Leaf()
    init(_ content: Content, _ keeper: Leaf) {
      self.content = content
      self.keeper = keeper
      pair = Pair(first: content, second: 1)
      neighbour = keeper
    }
  }

  private final class LargeCage: Cage<[String: Leaf]> {
    var any: Any = Leaf()
    var large: Any = (Leaf(), Leaf(), Leaf(), Leaf())
    var shapes: [Shape] = [.one(Leaf()), .two(Leaf(), 2), .three(.one(Leaf())), .none]
    var action: () -> Void = {}
  }

  /// Makes everything, and waits until the tasks are suspended.
  init() async {
    HeapRecording.start()
    let keeper = Leaf()
    let cage = LargeCage(["a": Leaf(), "long enough for a block": Leaf()], keeper)
    cage.action = { withExtendedLifetime((cage, keeper)) {} }
    _ = cage.late
    let error: any Error = Failure()
    let (source, continuation) = AsyncStream<Leaf>.makeStream()
    for _ in 0..<5 { continuation.yield(Leaf()) }
    animals = [
      cage, keeper, error, source, Cage(3, keeper), Cage(Optional(Leaf()), keeper),
      Set((0..<9).map { "a string that has a block \($0)" }), [1: Leaf(), 2: Leaf()],
      ContiguousArray([Shape.one(Leaf())]), Self.box(Leaf()), Self.box(3),
    ]
    stream = continuation
    let (never, gate) = AsyncStream<Void>.makeStream()
    tasks = [
      Task(name: "waits") { for await _ in never { withExtendedLifetime(keeper) {} } },
      Task(name: "has children") {
        async let child: Void = { for await _ in never {} }()
        await withTaskGroup { group in
          group.addTask { for await _ in never {} }
          await group.next()
        }
        await child
      }, Task { _ = try? await Task.sleep(for: .seconds(1_000_000)) },
    ]
    let finished = Task { Leaf() }
    _ = await finished.value
    for _ in 0..<1000 { await Task.yield() }
    var bytes = 0
    let count = heap_recorder_count(&bytes)
    HeapRecording.stop()
    blocks = [heap_block](unsafeUninitializedCapacity: count) { buffer, used in
      used = min(heap_recorder_copy(buffer.baseAddress, count), count)
    }
    withExtendedLifetime((gate, finished)) {}
  }

  // The box of a variable of a generic type.
  private static func box<Value>(_ value: Value) -> () -> Value {
    var value = value
    return {
      let old = value
      value = old
      return value
    }
  }

  /// Ends the tasks.
  func end() {
    for task in tasks { task.cancel() }
    stream.finish()
  }
}
