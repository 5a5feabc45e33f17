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
    compareArray(&findings)
    compareDictionary(&findings)
    compareSet(&findings)
    compareDeque(&findings)
    findings.expect("string.name", className(of: storage(of: text)) == abi.string.name)
  }

  private func descriptor(of object: UInt?) -> UInt? { Peek.word(Peek.word(object) + 40) }

  private func className(of object: UInt?) -> String? {
    Peek.text(Peek.relative(descriptor(of: object) + 8))
  }

  // The second word of a string is its storage's address; the highest four bits are flags.
  private func storage(of text: String) -> UInt {
    unsafeBitCast(text, to: (UInt, UInt).self).1 & ~(0xf << 60)
  }

  private var arrayStorage: UInt { unsafeBitCast(array, to: UInt.self) }

  private func compareArray(_ findings: inout ProbeFindings) {
    let storage = arrayStorage
    findings.expect("array.name", className(of: storage) == abi.array.name)
    findings.expect("array.count", Peek.word(storage + abi.array.count) == 3)
    let second = Peek.word(storage + abi.array.elements + 8)
    findings.expect("array.elements", second == elements[1].address)
  }

  private func compareDictionary(_ findings: inout ProbeFindings) {
    let storage = unsafeBitCast(dictionary, to: UInt.self)
    let rows = abi.table
    findings.expect("table.dictionary", className(of: storage) == rows.dictionary)
    let scale = Peek.byte(storage + rows.scale) ?? 0
    // A table is at most three quarters full.
    findings.expect("table.scale", scale < 16 && dictionary.capacity == (3 << Int(scale)) / 4)
    let seed = Peek.word(storage + rows.seed)
    // With deterministic hashing, the seed is the scale.
    findings.expect("table.seed", seed == storage || seed == UInt(scale))
    let bits = Peek.word(storage + rows.dictionaryBits) ?? 0
    findings.expect("table.dictionaryBits", bucket(bits) != nil)
    let keys = Peek.word(storage + rows.keys)
    let values = Peek.word(storage + rows.values)
    let bucket = bucket(Peek.word(storage + 64) ?? 0) ?? 0
    findings.expect("table.keys", Peek.word(keys + bucket * 8) == 0x5eed)
    findings.expect("table.values", Peek.word(values + bucket * 8) == value.address)
  }

  private func compareSet(_ findings: inout ProbeFindings) {
    let storage = unsafeBitCast(set, to: UInt.self)
    findings.expect("table.set", className(of: storage) == abi.table.set)
    let bits = Peek.word(storage + abi.table.setBits) ?? 0
    let element = bucket(bits).flatMap { Peek.word(Peek.word(storage + 48) + $0 * 8) }
    findings.expect("table.setBits", element == key.seed.address)
  }

  // The one bucket that is occupied. A small table fills up the rest of the word with ones.
  private func bucket(_ bits: UInt) -> UInt? {
    let occupied = bits & 0b11
    return occupied.nonzeroBitCount == 1 ? UInt(occupied.trailingZeroBitCount) : nil
  }

  /// The stream's storage has the buffer's address among its properties.
  private var buffer: UInt? {
    let storage = unsafeBitCast(stream.continuation, to: UInt.self)
    return Peek.words(from: storage + 16, bytes: 112).first {
      $0 & 15 == 0 && className(of: $0)?.hasSuffix("DequeBuffer") == true
    }
  }

  private func compareDeque(_ findings: inout ProbeFindings) {
    let (rows, buffer) = (abi.deque, buffer)
    findings.expect("deque.name", className(of: buffer) == rows.name)
    let superclass = Peek.word(Peek.word(buffer) + 8)
    findings.expect(
      "deque.superclass",
      Peek.text(Peek.relative(Peek.word(superclass + 40) + 8)) == rows.superclass)
    findings.expect("deque.count", Peek.word(buffer + rows.count) == 3)
    // The allocator may give a few bytes more than were asked for.
    let room = Peek.room(of: buffer)
    let slots = Peek.word(buffer + rows.slots) ?? 0
    findings.expect("deque.slots", slots >= 3 && slots &* 8 &+ 40 <= room ?? 0)
    let first = Peek.word(buffer + rows.first) ?? 0
    // Two of five were thrown away.
    let element = Peek.word(buffer + 40 + (first % max(slots, 1)) &* 8)
    findings.expect("deque.first", first > 0 && element == streamed[2].address)
    let index = Peek.word(buffer + 32) ?? 0
    findings.expect(
      "deque.header", Peek.word(buffer + rows.header + index % 64 * 8) == streamed[2].address)
  }

  var references: [PlantedReference] {
    func element(_ probe: RuntimeProbe, _ holder: UInt, _ seed: Seed, _ name: String? = nil)
      -> PlantedReference
    {
      PlantedReference(
        probe: probe, holder: holder, target: seed.address, kind: .element, name: name,
        isOnly: false)
    }
    return [
      element(.arrays, arrayStorage, elements[1], "1"),
      element(.dictionaries, unsafeBitCast(dictionary, to: UInt.self), value),
      element(.sets, unsafeBitCast(set, to: UInt.self), key.seed),
      element(.deques, buffer ?? 0, streamed[3]),
    ]
  }
}
