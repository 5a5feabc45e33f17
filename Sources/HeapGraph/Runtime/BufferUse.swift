import RuntimeABI

/// Where the elements of an array's storage end.
enum ArrayRoom {
  /// The elements' end, counted from the storage's address.
  ///
  /// Half of an array may be written yet, and its count be anything: never more than the block has.
  static func end(at address: UInt, _ size: UInt, _ column: TypeLayout.Column) -> UInt {
    let (bytes, isTooMuch) = Memory.word(address + abi.array.count).multipliedReportingOverflow(
      by: column.stride)
    let room = size - min(size, abi.array.elements)
    return abi.array.elements + (isTooMuch ? room : min(bytes, room))
  }
}

/// Which slots of a queue's storage hold elements. Those that elements were taken out of keep what
/// they held.
struct RingSlots {
  /// The slots in use, counted from the storage's address: up to two stretches.
  let stretches: [Range<UInt>]

  /// Nil for one that is half written.
  init?(at address: UInt, _ size: UInt, _ column: TypeLayout.Column, from start: UInt) {
    guard size >= abi.deque.header, start <= size, column.stride > 0 else { return nil }
    let slots = Memory.word(address + abi.deque.slots)
    let (count, first) = (
      Memory.word(address + abi.deque.count), Memory.word(address + abi.deque.first)
    )
    guard slots <= (size - start) / column.stride, count <= slots, first <= slots else {
      return nil
    }
    let end = min(first + count, slots)
    stretches = [first..<end, 0..<first + count - end].filter { !$0.isEmpty }.map {
      start + $0.lowerBound * column.stride..<start + $0.upperBound * column.stride
    }
  }
}

/// Which buckets of a hash table's storage are occupied. Those that are free keep what they last
/// held.
struct TableBuckets {
  private let address: UInt
  private let size: UInt
  private let bitmap: UInt
  private let count: UInt

  /// Nil for one that is half written.
  init?(at address: UInt, _ size: UInt, bitmap: UInt) {
    count = UInt(1) << UInt(Memory.byte(address + abi.table.scale) & 63)
    guard size >= bitmap + 8, count / 8 <= size - bitmap else { return nil }
    (self.address, self.size, self.bitmap) = (address, size, bitmap)
  }

  // Where they begin, counted from the storage's address; nil where they would not end in it.
  fileprivate func start(_ place: UInt, _ column: TypeLayout.Column) -> UInt? {
    let start = Memory.word(address + place) &- address
    return start < size && column.stride <= (size - start) / count ? start : nil
  }

  /// Calls `body` with where each key or value begins, counted from the storage's address.
  func forEachOccupied(_ place: UInt, _ column: TypeLayout.Column, _ body: (UInt) -> Void) {
    guard let start = start(place, column) else { return }
    for bucket in 0..<count {
      let bits = Memory.word(address + bitmap + bucket / 64 * 8)
      if bits >> (bucket % 64) & 1 == 1 { body(start + bucket * column.stride) }
    }
  }
}

extension TypeLayout.Tail {
  /// The stretches of a block, counted from its address, that may hold references of any kind: all of
  /// it but the spare room of an array or a queue, and a table's free buckets and what it finds its
  /// way in them by.
  func stretchesInUse(at address: UInt, _ size: UInt) -> [Range<UInt>] {
    switch self {
    case .none, .words: return [0..<size]
    case .elements(let column): return [0..<min(size, ArrayRoom.end(at: address, size, column))]
    case .ring(let column, let start):
      guard let slots = RingSlots(at: address, size, column, from: start) else { return [0..<size] }
      return [0..<abi.object.header] + slots.stretches
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(at: address, size, bitmap: bitmap),
        let keys = buckets.occupied(abi.table.keys, key),
        let values = buckets.occupied(abi.table.values, value)
      else { return [0..<size] }
      return [0..<abi.table.seed] + keys + values
    }
  }
}

extension TableBuckets {
  /// The occupied parts of the keys or of the values; nil where they would not end in the storage.
  fileprivate func occupied(_ place: UInt, _ column: TypeLayout.Column) -> [Range<UInt>]? {
    guard column.stride > 0 else { return [] }
    guard start(place, column) != nil else { return nil }
    var found: [Range<UInt>] = []
    forEachOccupied(place, column) { found.append($0..<$0 + column.stride) }
    return found
  }
}
