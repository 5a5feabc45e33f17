import CMemlabRecorder
import Dispatch
import Glibc
import MemlabAbandonment
import MemlabHeapModel
import MemlabHeapReader
import MemlabKit
import TestSupport
import Testing

extension HeapWitness {
  /// Copies of real blocks with some bits flipped are read as the heap is.
  @Suite("Blocks with flipped bits") struct MemoryFuzzTests {
    /// How many bits are flipped: more with `make fuzz-memory`.
    private static var mutations: Int { Crafted.setting("MEMLAB_FUZZ_MEMORY") ?? 20_000 }
    /// Where the random numbers begin.
    private static var seed: UInt64 { UInt64(Crafted.seed) }

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
      var random = SplitMix64(seed: Self.seed)
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

extension [UInt8] {
  /// Flips one of the bits.
  mutating func flipBit(using random: inout SplitMix64) {
    self[Int.random(in: indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }
}

/// Copies of recorded blocks that refer to each other as the blocks do, until bits are flipped.
struct FuzzedHeap {
  /// How many bits have been flipped.
  private(set) var mutations = 0
  private var blocks: [Block] = []
  private var random: SplitMix64
  private var rounds = 0

  private struct Block {
    var address: UInt
    var bytes: [UInt8]
  }

  /// Copies what was recorded while `zoo` was made, which stays alive.
  init(copying zoo: Zoo, seed: UInt64) {
    random = SplitMix64(seed: seed)
    for block in zoo.blocks where heap_block_size(block) <= 1 << 16 {
      let start = UnsafeRawPointer(bitPattern: block.address)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(heap_block_size(block)))
      blocks.append(Block(address: block.address, bytes: Array(bytes)))
    }
  }

  /// Makes a new copy of all blocks, flips bits in it, and reads it in every way.
  ///
  /// What was copied before stays where it is: the readers remember metadata, which lives forever.
  mutating func read() throws {
    rounds += 1
    HeapRecording.start()
    defer { HeapRecording.stop() }
    let copies = blocks.map { malloc($0.bytes.count + 1) }
    for (block, copy) in zip(blocks, copies) {
      let bytes = HeapRecording.withoutRecording { fuzzed(block.bytes, copies) }
      copy?.copyMemory(from: bytes, byteCount: bytes.count)
    }
    try look()
  }

  private mutating func fuzzed(_ original: [UInt8], _ copies: [UnsafeMutableRawPointer?]) -> [UInt8]
  {
    var bytes = original
    bytes.withUnsafeMutableBytes { buffer in
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        let word = buffer.load(fromByteOffset: offset, as: UInt.self)
        guard let moved = moved(word, copies) else { continue }
        buffer.storeBytes(of: moved, toByteOffset: offset, as: UInt.self)
      }
    }
    guard !bytes.isEmpty, Bool.random(using: &random) else { return bytes }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes.flipBit(using: &random)
      mutations += 1
    }
    return bytes
  }

  // What refers to a block, or into it, refers to its copy; now and then to another one.
  private mutating func moved(_ word: UInt, _ copies: [UnsafeMutableRawPointer?]) -> UInt? {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].address <= word { low = middle + 1 } else { high = middle }
    }
    let index = low - 1
    guard index >= 0, word - blocks[index].address < UInt(blocks[index].bytes.count) else {
      return nil
    }
    let isOther = UInt8.random(in: 0..<64, using: &random) == 0
    let target = isOther ? Int.random(in: copies.indices, using: &random) : index
    return UInt(bitPattern: copies[target]) + (word - blocks[index].address)
  }

  private func look() throws {
    let snapshot = try HeapSnapshot.take()
    let types = Set(snapshot.liveInstances.keys)
    _ = snapshot.retainChains(to: types, namingFunctions: false)
    _ = (snapshot.cycleCount, snapshot.cost(of: types), snapshot.holderMap(of: types).places.count)
    for task in snapshot.tasks { _ = task.pointer.flatMap { AsyncBacktrace(ofTask: $0) } }
    guard rounds % 8 == 0 else { return }
    _ = try HeapSnapshot.take { snapshot, surroundings in
      let tasks = snapshot.tasks.filter(\.isSuspended)
      _ = surroundings.tasks(withLocal: [], of: Leaf.self, except: 0)
      return surroundings.incomingPaths(to: tasks, objects: [], waiting: [], observers: [:])
    }
  }
}

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
