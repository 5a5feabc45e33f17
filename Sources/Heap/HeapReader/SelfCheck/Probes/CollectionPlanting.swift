import MemlabHeapModel
import MemlabRuntimeABI

/// Arrays, dictionaries, sets, the buffer of a stream, and strings.
struct CollectionPlanting: Planting {
  private struct Key: Hashable {
    let seed: Seed
    static func == (left: Key, right: Key) -> Bool { left.seed === right.seed }
    func hash(into hasher: inout Hasher) { hasher.combine(1) }
  }

  private let elements = (0..<3).map { _ in Seed() }
  private let array: [Key]
  private let value = Seed()
  private let dictionary: [Int: Seed]
  private let key = Key(seed: Seed())
  private let set: Set<Key>
  private let streamed = (0..<5).map { _ in Seed() }
  private let stream: (stream: AsyncStream<Seed>, continuation: AsyncStream<Seed>.Continuation)
  private let text: String

  /// Plants collections of objects, and a string.
  init() {
    array = elements.map { Key(seed: $0) }
    dictionary = [0x5eed: value]
    set = [key]
    stream = AsyncStream.makeStream(of: Seed.self, bufferingPolicy: .bufferingNewest(3))
    for seed in streamed { stream.continuation.yield(seed) }
    text = String(repeating: "planted ", count: elements.count)
  }

  func compare(_ findings: inout ProbeFindings) {
    let storage = arrayStorage
    findings.expect("array.name", className(of: storage) == abi.array.name)
    findings.expect("array.count", storage[abi.array.count].word == 3)
    let second = storage[abi.array.elements + 8].word
    findings.expect("array.elements", second == elements[1].address)
    compareTables(&findings)
    compareDeque(&findings)
    // The second word of a string is its storage's address; the highest four bits are flags.
    let ofText = unsafeBitCast(text, to: (UInt, UInt).self).1 & ~(0xf << 60)
    findings.expect("string.name", className(of: Place(ofText)) == abi.string.name)
  }

  private func name(ofClass type: Place) -> String? { type[40].target[8].relative.text }
  private func className(of object: Place) -> String? { name(ofClass: object.target) }

  private var arrayStorage: Place { Place(unsafeBitCast(array, to: UInt.self)) }
  private var dictionaryStorage: Place { Place(unsafeBitCast(dictionary, to: UInt.self)) }
  private var setStorage: Place { Place(unsafeBitCast(set, to: UInt.self)) }

  private func compareTables(_ findings: inout ProbeFindings) {
    let (storage, rows) = (dictionaryStorage, abi.table)
    findings.expect("table.dictionary", className(of: storage) == rows.dictionary)
    let scale = storage[rows.scale].byte ?? 0
    // A table is at most three quarters full.
    findings.expect("table.scale", scale < 16 && dictionary.capacity == (3 << Int(scale)) / 4)
    let seed = storage[rows.seed].word
    // With deterministic hashing, the seed is the scale.
    findings.expect("table.seed", seed == storage.address || seed == UInt(scale))
    findings.expect("table.dictionaryBits", bucket(storage[rows.dictionaryBits]) != nil)
    findings.expect("table.set", className(of: setStorage) == rows.set)
    let element = bucket(setStorage[rows.setBits]).flatMap { setStorage[48].target[$0 * 8].word }
    findings.expect("table.setBits", element == key.seed.address)
    let bucket = (bucket(storage[64]) ?? 0) * 8
    findings.expect("table.keys", storage[rows.keys].target[bucket].word == 0x5eed)
    findings.expect("table.values", storage[rows.values].target[bucket].word == value.address)
  }

  // The one bucket that is occupied. A small table fills up the rest of the word with ones.
  private func bucket(_ bits: Place) -> UInt? {
    let occupied = (bits.word ?? 0) & 0b11
    return occupied.nonzeroBitCount == 1 ? UInt(occupied.trailingZeroBitCount) : nil
  }

  /// The stream's storage has the buffer's address among its properties.
  private var buffer: Place {
    let storage = Place(unsafeBitCast(stream.continuation, to: UInt.self))
    return Place(
      storage[16].words(bytes: 112).first {
        $0 & 15 == 0 && className(of: Place($0))?.hasSuffix("DequeBuffer") == true
      })
  }

  private func compareDeque(_ findings: inout ProbeFindings) {
    let (rows, buffer) = (abi.deque, buffer)
    findings.expect("deque.name", className(of: buffer) == rows.name)
    findings.expect("deque.superclass", name(ofClass: buffer.target[8].target) == rows.superclass)
    findings.expect("deque.count", buffer[rows.count].word == 3)
    // The allocator may give a few bytes more than were asked for.
    let slots = buffer[rows.slots].word ?? 0
    findings.expect("deque.slots", slots >= 3 && slots &* 8 &+ 40 <= buffer.room ?? 0)
    let first = buffer[rows.first].word ?? 0
    // Two of five were thrown away.
    let element = buffer[40 + (first % max(slots, 1)) &* 8].word
    findings.expect("deque.first", first > 0 && element == streamed[2].address)
    let place = rows.header + (buffer[32].word ?? 0) % 64 * 8
    findings.expect("deque.header", buffer[place].word == streamed[2].address)
  }

  var references: [PlantedReference] {
    [
      .init(.arrays, .element, in: arrayStorage.address, elements[1].address, name: "1"),
      .init(.dictionaries, .element, in: dictionaryStorage.address, value.address),
      .init(.sets, .element, in: setStorage.address, key.seed.address),
      .init(.deques, .element, in: buffer.address, streamed[3].address),
    ]
  }
}
