import CMemlabRecorder
import Glibc
import MemlabHeapModel
import MemlabHeapReader

/// The same random numbers in every run: SplitMix64, https://prng.di.unimi.it/splitmix64.c.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension [UInt8] {
  /// Flips one of the bits.
  mutating func flipBit(using random: inout SeededGenerator) {
    self[Int.random(in: indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }
}

/// Copies of recorded blocks that refer to each other as the blocks do, until bits are flipped.
struct FuzzedHeap {
  /// How many bits have been flipped.
  private(set) var mutations = 0
  private var blocks: [Block] = []
  private var random: SeededGenerator
  private var rounds = 0

  private struct Block {
    var address: UInt
    var bytes: [UInt8]
  }

  /// Copies what was recorded while `zoo` was made, which stays alive.
  init(copying zoo: Zoo, seed: UInt64) {
    random = SeededGenerator(state: seed)
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
      _ = snapshot.tasks(withLocal: [], of: Leaf.self, except: 0)
      return surroundings.incomingPaths(to: tasks, objects: [], waiting: 0, observers: [:])
    }
  }
}
