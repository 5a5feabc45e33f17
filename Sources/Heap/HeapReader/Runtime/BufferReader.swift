import MemlabHeapModel
import MemlabRuntimeABI

/// What the standard library's own buffers keep behind their fields.
///
/// Assumes that a generic class's arguments are the first of the members that its metadata adds.
extension ClassReader {
  private typealias Column = TypeLayout.Column

  /// The tail of a class's instances. Of a class of the user's it may be anything, as in a
  /// `ManagedBuffer`.
  static func tail(
    of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout.Tail {
    switch try className(metadata, memory) {
    case abi.array.name where RuntimeTrust.knows(.arrays):
      return .elements(try column(0, of: metadata, memory))
    case abi.table.dictionary where RuntimeTrust.knows(.dictionaries):
      return .table(
        key: try column(0, of: metadata, memory), value: try column(1, of: metadata, memory),
        bitmap: abi.table.dictionaryBits)
    // Where the keys are, a set says as a dictionary does.
    case abi.table.set where RuntimeTrust.knows(.sets) && RuntimeTrust.knows(.dictionaries):
      return .table(
        key: try column(0, of: metadata, memory), value: .absent, bitmap: abi.table.setBits)
    case abi.deque.name where RuntimeTrust.knows(.deques):
      return try ring(of: metadata, memory)
    case abi.string.name where RuntimeTrust.knows(.strings):
      return .none
    default:
      return .words
    }
  }

  // What an `AsyncStream` has buffered is in such a buffer, and so is a `Deque` of Swift
  // Collections 1.0 to 1.2. A class of somebody else's may have the name too.
  private static func ring(
    of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout.Tail {
    let size = UInt(try memory.uint32(metadata &+ abi.classes.instanceSize))
    let superclass = try memory.word(metadata &+ abi.classes.superclass)
    guard size == abi.deque.header, isClass(superclass, memory),
      try className(superclass, memory) == abi.deque.superclass
    else { return .words }
    let type = try argument(0, of: metadata, memory)
    let alignment = try ValueWitnesses(metadata: type, memory).alignment
    return .ring(
      try column(0, of: metadata, memory), from: (size + alignment - 1) / alignment * alignment)
  }

  /// Whether a class is a `ManagedBuffer` whose elements hold no references that count.
  static func isBufferOfPlain(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Bool {
    guard RuntimeTrust.knows(.deques) else { return false }
    var metadata = metadata
    for _ in 0..<deepest {
      if try className(metadata, memory) == abi.deque.superclass {
        guard try canBeNamed(metadata, memory) else { return false }
        let name = TypeName.qualified(unsafeBitCast(metadata, to: Any.Type.self))
        // A class of somebody else's may have the name too. The first argument is the header.
        return name.hasPrefix("Swift." + abi.deque.superclass)
          ? try column(1, of: metadata, memory).isPlain : false
      }
      metadata = try memory.word(metadata &+ abi.classes.superclass)
      guard metadata != 0, isClass(metadata, memory) else { return false }
    }
    return false
  }

  private static func className(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> String {
    let descriptor = try memory.word(metadata &+ abi.classes.descriptor)
    return try memory.text(memory.relative(descriptor &+ abi.classes.name))
  }

  /// The shapes of the elements in a class's tail, or of the keys and the values.
  static func elements(
    in tail: TypeLayout.Tail, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> [ValueShape] {
    switch tail {
    case .none, .words: return []
    case .elements, .ring: return [try shape(0, of: metadata, memory)]
    case .table(_, let value, _):
      let values = value.isPlain ? ValueShape() : try shape(1, of: metadata, memory)
      return [try shape(0, of: metadata, memory), values]
    }
  }

  private static func shape(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> ValueShape {
    ValueShape(of: try argument(index, of: metadata, memory), memory)
  }

  private static func column(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> Column {
    let witnesses = try ValueWitnesses(metadata: try argument(index, of: metadata, memory), memory)
    return Column(stride: witnesses.stride, isPlain: witnesses.isPlain)
  }

  private static func argument(
    _ index: UInt, of metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> UInt { try memory.word(try members(of: metadata, memory) &+ index * 8) }
}

extension TypeLayout.Column {
  /// The values of a set.
  fileprivate static let absent = Self(stride: 0, isPlain: true)
}

/// Where the elements of an array's storage end.
enum ArrayRoom {
  /// The elements' end, counted from the storage's address.
  ///
  /// The array may be only partly written, and its count be anything: never more than the block has.
  static func end(in region: Region, _ column: TypeLayout.Column) -> UInt {
    let count = region.word(at: region.start + abi.array.count) ?? 0
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: column.stride)
    let room = region.count - min(region.count, abi.array.elements)
    return abi.array.elements + (isTooMuch ? room : min(bytes, room))
  }
}

/// Which slots of a queue's storage hold elements. Those that elements were taken out of keep what
/// they held.
struct RingSlots {
  /// The slots in use, counted from the storage's address: up to two stretches.
  let stretches: [Range<UInt>]

  /// Nil for one that is only partly written.
  init?(in region: Region, _ column: TypeLayout.Column, from start: UInt) {
    guard start <= region.count, column.stride > 0,
      let slots = region.word(at: region.start + abi.deque.slots),
      let count = region.word(at: region.start + abi.deque.count),
      let first = region.word(at: region.start + abi.deque.first),
      slots <= (region.count - start) / column.stride, count <= slots, first <= slots
    else { return nil }
    let end = min(first + count, slots)
    stretches = [first..<end, 0..<first + count - end].filter { !$0.isEmpty }.map {
      start + $0.lowerBound * column.stride..<start + $0.upperBound * column.stride
    }
  }
}

/// Which buckets of a hash table's storage are occupied. Those that are free keep what they last
/// held.
struct TableBuckets {
  private let region: Region
  private let bitmap: UInt
  private let count: UInt

  /// Nil for one that is only partly written.
  init?(in region: Region, bitmap: UInt) {
    guard let scale = region.byte(at: region.start + abi.table.scale) else { return nil }
    count = UInt(1) << UInt(scale & 63)
    guard region.count >= bitmap + 8, count / 8 <= region.count - bitmap else { return nil }
    (self.region, self.bitmap) = (region, bitmap)
  }

  // Where they begin, counted from the storage's address; nil where they would not end in it.
  fileprivate func start(_ place: UInt, _ column: TypeLayout.Column) -> UInt? {
    guard let address = region.word(at: region.start + place) else { return nil }
    let start = address &- region.start
    return start < region.count && column.stride <= (region.count - start) / count ? start : nil
  }

  /// Calls `body` with where each key or value begins, counted from the storage's address.
  func forEachOccupied(_ place: UInt, _ column: TypeLayout.Column, _ body: (UInt) -> Void) {
    guard let start = start(place, column) else { return }
    for bucket in 0..<count {
      let bits = region.word(at: region.start + bitmap + bucket / 64 * 8) ?? 0
      if bits >> (bucket % 64) & 1 == 1 { body(start + bucket * column.stride) }
    }
  }

  /// The occupied parts of the keys or of the values; nil where they would not end in the storage.
  fileprivate func occupied(_ place: UInt, _ column: TypeLayout.Column) -> [Range<UInt>]? {
    guard column.stride > 0 else { return [] }
    guard start(place, column) != nil else { return nil }
    var found: [Range<UInt>] = []
    forEachOccupied(place, column) { found.append($0..<$0 + column.stride) }
    return found
  }
}

extension TypeLayout.Tail {
  /// The stretches of a block, counted from its address, that may hold references of any kind: all of
  /// it but the spare room of an array or a queue, and a table's free buckets and what it finds its
  /// way in them by.
  func stretchesInUse(in region: Region) -> [Range<UInt>] {
    let all = 0..<region.count
    switch self {
    case .none, .words: return [all]
    case .elements(let column): return [0..<min(region.count, ArrayRoom.end(in: region, column))]
    case .ring(let column, let start):
      guard let slots = RingSlots(in: region, column, from: start) else { return [all] }
      return [0..<abi.object.header] + slots.stretches
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(in: region, bitmap: bitmap),
        let keys = buckets.occupied(abi.table.keys, key),
        let values = buckets.occupied(abi.table.values, value)
      else { return [all] }
      return [0..<abi.table.seed] + keys + values
    }
  }
}
