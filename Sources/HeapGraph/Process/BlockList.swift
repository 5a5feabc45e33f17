internal import CHeapRecorder

/// The recorded blocks in order of address, with a way from an address to its block.
///
/// A table over the pages in which blocks begin leads to a search among a page's blocks, of which
/// there are at most 128: it stays in the cache where a search over a million would not.
///
/// A value of plain numbers and pointers, so that asking it costs no reference counting; the memory
/// goes with the last copy.
struct BlockList: @unchecked Sendable {
  /// The recorder's copy of its list.
  let blocks: UnsafeBufferPointer<heap_block>
  private let pages: UnsafeMutableBufferPointer<Page>
  private let mask: UInt
  private let lowest: UInt
  private let span: UInt
  private let memory: Memory

  private struct Page {
    var number: UInt = 0
    var first: UInt32 = 0
    var count: UInt32 = 0
  }

  private final class Memory {
    let blocks: UnsafeBufferPointer<heap_block>
    let pages: UnsafeMutableBufferPointer<Page>

    init(_ blocks: UnsafeBufferPointer<heap_block>, _ pages: UnsafeMutableBufferPointer<Page>) {
      self.blocks = blocks
      self.pages = pages
    }

    deinit {
      blocks.deallocate()
      pages.deallocate()
    }
  }

  /// Copies the recorder's list.
  init() {
    blocks = Self.copy()
    lowest = blocks.first?.address ?? 0
    span = (blocks.last?.address ?? 0) - lowest
    let room = UInt(Self.pagesBegun(by: blocks) * 2 + 2)
    mask = (1 << UInt(UInt.bitWidth - room.leadingZeroBitCount)) - 1
    pages = Self.pages(of: blocks, mask: mask)
    memory = Memory(blocks, pages)
  }

  // A trial leaves a few dozen blocks; for more, or when other threads go on allocating, the copy
  // is made again.
  private static func copy() -> UnsafeBufferPointer<heap_block> {
    var needed = 256
    while true {
      let room = UnsafeMutableBufferPointer<heap_block>.allocate(capacity: needed + needed / 8)
      needed = heap_recorder_copy(room.baseAddress, room.count)
      if needed <= room.count { return UnsafeBufferPointer(rebasing: room[..<needed]) }
      room.deallocate()
    }
  }

  /// How many blocks there are.
  var count: Int { blocks.count }

  /// The first block's address, and how far from it the last one begins.
  var bounds: (lowest: UInt, span: UInt) { (lowest, span) }

  /// Where a block begins.
  func address(_ index: Int) -> UInt { blocks[index].address }

  /// A block's size in bytes, as it was asked for.
  func size(_ index: Int) -> UInt { UInt(heap_block_size(blocks[index])) }

  /// The recorder's number of a block: the later, the higher.
  func serial(_ index: Int) -> UInt64 { heap_block_serial(blocks[index]) }

  /// The index of the block that begins at `address`, -1 if none does.
  @inline(__always)
  func index(of address: UInt) -> Int {
    guard address &- lowest <= span, address & 15 == 0 else { return -1 }
    let page = page(address >> 12)
    var low = Int(page.first)
    var count = Int(page.count)
    while count > 0 {
      let half = count >> 1
      let found = blocks[low + half].address
      if found == address { return low + half }
      if found < address { low += half + 1 }
      count = found < address ? count - half - 1 : half
    }
    return -1
  }

  /// The index of the block that `address` lies in, -1 if it lies in none.
  func index(containing address: UInt) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address - blocks[low - 1].address < size(low - 1) else { return -1 }
    return low - 1
  }

  @inline(__always)
  private func page(_ number: UInt) -> Page {
    var slot = Self.hash(number) & mask
    while true {
      let page = pages[Int(slot)]
      if page.number == number || page.count == 0 { return page }
      slot = (slot + 1) & mask
    }
  }

  private static func pages(
    of blocks: UnsafeBufferPointer<heap_block>, mask: UInt
  ) -> UnsafeMutableBufferPointer<Page> {
    let pages = UnsafeMutableBufferPointer<Page>.allocate(capacity: Int(mask) + 1)
    pages.initialize(repeating: Page())
    for index in blocks.indices {
      let number = blocks[index].address >> 12
      var slot = Int(hash(number) & mask)
      while pages[slot].count != 0, pages[slot].number != number {
        slot = (slot + 1) & Int(mask)
      }
      if pages[slot].count == 0 { pages[slot] = Page(number: number, first: UInt32(index)) }
      pages[slot].count += 1
    }
    return pages
  }

  private static func pagesBegun(by blocks: UnsafeBufferPointer<heap_block>) -> Int {
    var count = 0
    var last = UInt.max
    for block in blocks where block.address >> 12 != last {
      last = block.address >> 12
      count += 1
    }
    return count
  }

  @inline(__always)
  private static func hash(_ number: UInt) -> UInt { (number &* 0x9E37_79B9_7F4A_7C15) >> 32 }
}
