import MemlabRuntimeABI

extension BlockTail.Column {
  /// Where the elements of an array's storage end, counted from the storage's address.
  ///
  /// The array may be only partly written, and its count be anything: never more than the block has.
  func endOfElements(in region: Region) -> UInt {
    let count = region.word(at: region.start + abi.array.count) ?? 0
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: stride)
    let room = region.count - min(region.count, abi.array.elements)
    return abi.array.elements + (isTooMuch ? room : min(bytes, room))
  }

  /// Which slots of a queue's storage hold elements, counted from the storage's address: up to two
  /// stretches. Those that elements were taken out of keep what they held. Nil for a queue that is only
  /// partly written.
  func slotsInUse(of region: Region, from start: UInt) -> [Range<UInt>]? {
    guard start <= region.count, stride > 0,
      let slots = region.word(at: region.start + abi.deque.slots),
      let count = region.word(at: region.start + abi.deque.count),
      let first = region.word(at: region.start + abi.deque.first),
      slots <= (region.count - start) / stride, count <= slots, first <= slots
    else { return nil }
    let end = min(first + count, slots)
    return [first..<end, 0..<first + count - end].filter { !$0.isEmpty }.map {
      start + $0.lowerBound * stride..<start + $0.upperBound * stride
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
  fileprivate func start(_ place: UInt, _ column: BlockTail.Column) -> UInt? {
    guard let address = region.word(at: region.start + place) else { return nil }
    let start = address &- region.start
    return start < region.count && column.stride <= (region.count - start) / count ? start : nil
  }

  /// Calls `body` with where each key or value begins, counted from the storage's address.
  func forEachOccupied(_ place: UInt, _ column: BlockTail.Column, _ body: (UInt) -> Void) {
    guard let start = start(place, column) else { return }
    for bucket in 0..<count {
      let bits = region.word(at: region.start + bitmap + bucket / 64 * 8) ?? 0
      if bits >> (bucket % 64) & 1 == 1 { body(start + bucket * column.stride) }
    }
  }

  /// The occupied parts of the keys or of the values; nil where they would not end in the storage.
  fileprivate func occupied(_ place: UInt, _ column: BlockTail.Column) -> [Range<UInt>]? {
    guard column.stride > 0 else { return [] }
    guard start(place, column) != nil else { return nil }
    var found: [Range<UInt>] = []
    forEachOccupied(place, column) { found.append($0..<$0 + column.stride) }
    return found
  }
}

/// The tail-allocated part of a block.
package enum BlockTail: Sendable, Equatable {
  /// Nothing.
  case none
  /// Anything: every word may be a reference.
  case words
  /// Text, and behind it what was there before.
  case text
  /// An array's elements; their number is in the word at byte 16.
  case elements(Column)
  /// The slots of a queue, from an offset on; those that hold elements follow one another, and go
  /// on at the first after the last.
  case ring(Column, from: UInt)
  /// A hash table's occupied buckets; keys and values are arrays of their own.
  case table(key: Column, value: Column, bitmap: UInt)

  /// Values of one type, one after the other.
  package struct Column: Sendable, Equatable {
    /// The distance between two of them, in bytes.
    package var stride: UInt
    /// Whether they hold no references that count.
    package var isPlain: Bool

    /// Values of a type.
    package init(stride: UInt, isPlain: Bool) { (self.stride, self.isPlain) = (stride, isPlain) }
  }

  /// Calls `body` with the stretches of a block that may hold references of any kind: all of it but text,
  /// the spare room of an array or a queue, a table's free buckets and what it finds its way in them by.
  func forEachStretchInUse(of region: Region, _ body: (Region) -> Void) {
    func part(_ range: Range<UInt>) -> Region {
      region.part(from: region.start + range.lowerBound, to: region.start + range.upperBound)
    }
    switch self {
    case .none, .words: body(region)
    case .text: break
    case .elements(let column): body(part(0..<column.endOfElements(in: region)))
    case .ring(let column, let start):
      guard let slots = column.slotsInUse(of: region, from: start) else { return body(region) }
      ([0..<abi.object.header] + slots).map(part).forEach(body)
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(in: region, bitmap: bitmap),
        let keys = buckets.occupied(abi.table.keys, key),
        let values = buckets.occupied(abi.table.values, value)
      else { return body(region) }
      ([0..<abi.table.seed] + keys + values).map(part).forEach(body)
    }
  }
}
