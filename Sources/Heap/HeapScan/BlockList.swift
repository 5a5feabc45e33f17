import CMemlabRecorder
import MemlabHeapModel
import MemlabRuntimeABI

/// The recorded blocks in order of address, with a way from an address to its block.
///
/// Two blocks can't begin less than 32 bytes apart. A row stands for 2 KiB in which blocks begin: two
/// bits for each 32 bytes, so that a block's place among all is a count of bits, and nothing has to be
/// kept of its address.
///
/// A value of plain numbers and pointers, so that asking it costs no reference counting; the memory
/// goes with the last copy.
package struct BlockList: @unchecked Sendable {
  /// How many blocks there are.
  package let count: Int
  /// The first block's address, and how far from it the last one begins.
  package let bounds: (lowest: UInt, span: UInt)
  private let packed: UnsafePointer<UInt64>
  private let rows: UnsafeBufferPointer<Row>
  // By a hash of a row's number, which row it is, counted from 1.
  private let slots: UnsafePointer<UInt32>
  private let mask: UInt
  private let alignmentBits = abi.reference.alignment - 1
  private let storage: Storage

  private final class Storage {
    private let listing: Listing
    init(_ listing: Listing) { self.listing = listing }
    deinit { listing.deallocate() }
  }

  /// More blocks than that have no numbers: the kind of a reference stands beside its target's.
  package static let most = 1 << 28 - 1

  /// Lists the recorder's blocks.
  package init() {
    var listing = Listing()
    heap_recorder_visit({ $0?.assumingMemoryBound(to: Listing.self).pointee.add($1) }, &listing)
    mask = listing.index()
    count = listing.packed.count
    packed = UnsafePointer(listing.packed.base)
    rows = UnsafeBufferPointer(start: listing.rows.base, count: listing.rows.count)
    slots = UnsafePointer(listing.slots.base)
    storage = Storage(listing)
    let lowest = rows.first?.firstAddress ?? .max
    bounds = (lowest, rows.isEmpty ? 0 : rows[rows.count - 1].lastAddress - lowest)
  }

  /// Where a block begins.
  package func address(_ index: Int) -> UInt {
    let row = rows[rows.indices.end { rows[$0].first <= index } - 1]
    var begins = row.begins
    for _ in Int(row.first)..<index { begins &= begins - 1 }
    return row.address(UInt(begins.trailingZeroBitCount))
  }

  /// A block's size in bytes, as it was asked for.
  package func size(_ index: Int) -> UInt {
    UInt(heap_block_size(heap_block(address: 0, packed: packed[index])))
  }

  /// The recorder's number of a block: the later, the higher.
  package func serial(_ index: Int) -> UInt64 {
    heap_block_serial(heap_block(address: 0, packed: packed[index]))
  }

  /// Some blocks, the oldest first. Unlike their addresses, that is the same in every process.
  package func byAge(_ blocks: [Int]) -> [Int] {
    blocks.map(serial).placesInOrder.map { blocks[$0] }
  }

  /// The blocks with higher numbers than one of the recorder's, in order of address.
  package func blocks(after serial: UInt64) -> [Int] {
    (0..<count).filter { self.serial($0) > serial }
  }

  /// Calls `body` with each block and its memory, in order.
  @inline(__always)
  package func forEachBlock(_ body: (_ block: Int, _ region: Region) -> Void) {
    for row in rows {
      var (begins, block) = (row.begins, Int(row.first))
      while begins != 0 {
        let address = row.address(UInt(begins.trailingZeroBitCount))
        body(block, Region(proven: address, count: size(block)))
        begins &= begins - 1
        block += 1
      }
    }
  }

  /// A block's memory, as much as was asked for. It stays while frees are held.
  package func region(_ block: Int) -> Region { Region(proven: address(block), count: size(block)) }

  /// The memory of the block that begins at an address; nil where none does.
  package func region(of address: UInt) -> Region? {
    let block = index(of: address)
    return block < 0 ? nil : Region(proven: address, count: size(block))
  }

  /// The part of a block that may be in use.
  ///
  /// An array and a `ManagedBuffer` ask the allocator, which rounds sizes up, how much they got, and
  /// fill that.
  ///
  /// - Parameters:
  ///   - region: the block's memory, as much as was asked for.
  ///   - plan: what is known of its type.
  @inline(__always)
  func room(_ region: Region, of plan: TypeTable.Plan) -> Region {
    let fillsRoom = plan.plainStride != nil || plan.kind == .buffer
    guard fillsRoom, region.count > plan.fixedSize else { return region }
    let room = memlab_heap_block_room(heap_block(address: region.start, packed: 0))
    return Region(proven: region.start, count: UInt(room))
  }

  /// The index of the block that begins at `address`, -1 if none does.
  @inline(__always)
  package func index(of address: UInt) -> Int {
    var row = 0
    return index(of: address, near: &row)
  }

  /// The same; objects that refer to each other often begin in the same 2 KiB.
  ///
  /// - Parameter row: where the latest block was found; zero for the first one.
  @inline(__always)
  func index(of address: UInt, near row: inout Int) -> Int {
    guard address &- bounds.lowest <= bounds.span, address & alignmentBits == 0 else { return -1 }
    let number = address >> Row.bits
    if rows[row].number != number {
      var slot = Row.hash(number) & mask
      while slots[Int(slot)] != 0, rows[Int(slots[Int(slot)]) - 1].number != number {
        slot = (slot + 1) & mask
      }
      guard slots[Int(slot)] != 0 else { return -1 }
      row = Int(slots[Int(slot)]) - 1
    }
    return rows[row].index(of: address)
  }

  /// The index of the block that `address` lies in, -1 if it lies in none.
  package func index(containing address: UInt) -> Int { place(of: address)?.block ?? -1 }

  // The block that an address lies in, and where it begins.
  fileprivate func place(of address: UInt) -> (block: Int, start: UInt)? {
    let next = rows.indices.end { rows[$0].number <= address >> Row.bits }
    // Where no block of a row begins before the address, it may lie in the last one of the row before.
    for row in rows[..<next].suffix(2).reversed() {
      guard let place = row.last(upTo: address) else { continue }
      return address - place.start < size(place.block) ? place : nil
    }
    return nil
  }

  /// A stretch of memory up to the first block that begins in it.
  package func beginning(of range: Range<UInt>) -> Range<UInt> {
    let first = (0..<count).end { address($0) < range.lowerBound }
    guard first < count, address(first) < range.upperBound else { return range }
    return range.lowerBound..<address(first)
  }

  /// Calls `body` with each block whose address stands in a stretch of memory, and with the place
  /// where it stands.
  package func forEachReference(in region: Region, _ body: (_ block: Int, _ place: UInt) -> Void) {
    region.forEachAddress(within: bounds) { place, address in
      let block = index(of: address)
      if block >= 0 { body(block, place) }
    }
  }

  /// The blocks that the words of a region refer to, and where these words are.
  package func references(in region: Region) -> [(target: Int, place: UInt)] {
    var found: [(target: Int, place: UInt)] = []
    forEachReference(in: region) { target, place in found.append((target, place)) }
    return found
  }
}

/// Some of the blocks, of which it is asked who points into their middle.
package struct MarkedBlocks {
  private let blocks: BlockList
  private var isMarked: [Bool]
  private let bounds: (lowest: UInt, span: UInt)

  /// Marks some blocks of a list.
  package init(_ marked: [Int], among blocks: BlockList) {
    (self.blocks, isMarked) = (blocks, Array(repeating: false, count: blocks.count))
    for block in marked { isMarked[block] = true }
    // Blocks are in order of address.
    let lowest = marked.min().map(blocks.address) ?? 0
    bounds = (lowest, (marked.max().map { blocks.region($0).end } ?? 0) - lowest)
  }

  /// Marks all blocks that are memory of unknown use.
  package init(ofUnknownUse kinds: BlockTypes, among blocks: BlockList) {
    self.init((0..<blocks.count).filter { kinds[$0] == .memory }, among: blocks)
  }

  /// The marked blocks that words of a stretch of memory point into, behind their beginning.
  package func pointed(from region: Region) -> Set<Int> {
    var found: Set<Int> = []
    guard bounds.span > 0 else { return found }
    region.forEachAddress(within: bounds) { _, address in
      if let (block, start) = blocks.place(of: address), isMarked[block], start < address {
        found.insert(block)
      }
    }
    return found
  }
}

/// The blocks that begin in 2 KiB.
private struct Row: BitwiseCopyable {
  static let bits: UInt = 11
  /// The address of the 2 KiB, without their bits.
  let number: UInt
  /// By 32 bytes, whether a block begins there.
  var begins: UInt64 = 0
  /// Whether it begins 16 bytes behind that.
  var halves: UInt64 = 0
  /// The first of the blocks.
  let first: UInt32

  static func hash(_ number: UInt) -> UInt { (number &* 0x9E37_79B9_7F4A_7C15) >> 32 }

  func address(_ bit: UInt) -> UInt {
    number << Self.bits | bit << 5 | UInt(halves >> UInt64(bit) & 1) << 4
  }

  var firstAddress: UInt { address(UInt(begins.trailingZeroBitCount)) }
  var lastAddress: UInt { address(UInt(63 - begins.leadingZeroBitCount)) }

  @inline(__always)
  func index(of address: UInt) -> Int {
    let bit = UInt64(address >> 5 & 63)
    guard begins >> bit & 1 == 1, halves >> bit & 1 == UInt64(address >> 4 & 1) else { return -1 }
    return Int(first) + (begins & (1 << bit - 1)).nonzeroBitCount
  }

  /// The last block that begins in these 2 KiB, at an address in them or behind them or before it, and
  /// where; nil where there is none.
  func last(upTo address: UInt) -> (block: Int, start: UInt)? {
    let bit = address >> Self.bits == number ? UInt64(address >> 5 & 63) : 63
    let isBegun = begins >> bit & 1 == 1 && self.address(UInt(bit)) <= address
    let begun = begins & (1 << bit - 1 | (isBegun ? 1 << bit : 0))
    guard begun != 0 else { return nil }
    let start = self.address(UInt(63 - begun.leadingZeroBitCount))
    return (Int(first) + begun.nonzeroBitCount - 1, start)
  }
}

/// The list while it is made.
private struct Listing {
  var packed: PlainList<UInt64>
  var rows: PlainList<Row>
  var slots = PlainList<UInt32>(withRoomFor: 1)

  init() {
    var bytes = 0
    let expected = heap_recorder_count(&bytes)
    packed = PlainList(withRoomFor: expected + expected / 8 + 256)
    rows = PlainList(withRoomFor: expected / 32 + 16)
  }

  func deallocate() {
    packed.deallocate()
    rows.deallocate()
    slots.deallocate()
  }

  mutating func add(_ block: heap_block) {
    precondition(packed.count < BlockList.most, "too many blocks")
    let number = UInt(block.address) >> Row.bits
    if rows.count == 0 || rows.base[rows.count - 1].number != number {
      rows.append(Row(number: number, first: UInt32(packed.count)))
    }
    let bit = UInt64(block.address >> 5 & 63)
    rows.base[rows.count - 1].begins |= 1 << bit
    rows.base[rows.count - 1].halves |= UInt64(block.address >> 4 & 1) << bit
    packed.append(block.packed)
  }

  /// Makes the table that leads to the rows.
  mutating func index() -> UInt {
    let room = UInt(rows.count * 2 + 2)
    let mask: UInt = (1 << UInt(UInt.bitWidth - room.leadingZeroBitCount)) - 1
    slots.fill(with: 0, count: Int(mask) + 1)
    for row in 0..<rows.count {
      var slot = Row.hash(rows.base[row].number) & mask
      while slots.base[Int(slot)] != 0 { slot = (slot + 1) & mask }
      slots.base[Int(slot)] = UInt32(row + 1)
    }
    return mask
  }
}

// Beside the list that asks it most: from another file, it would not be inlined.
extension Range<Int> {
  /// Where a condition ends that holds up to some index and for none from there on.
  ///
  /// - Parameter holds: the condition; asked for about as many indices as their number has bits.
  /// - Returns: the first index for which it does not hold, the upper bound if there is none.
  @inline(__always)
  package func end(of holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
