import CMemlabRecorder
import MemlabHeapModel

/// Leads from an address to the block that begins there.
///
/// Two blocks can't begin less than 32 bytes apart, so a page has room for the beginnings of 128. A
/// table of the pages in which blocks begin leads to a row with a place for each of them: two reads,
/// where a search among a page's blocks takes seven that wait for one another.
///
/// Plain pointers, so that asking costs no reference counting. The owner of a table frees it.
struct PageTable {
  private struct Page {
    var number: UInt = 0
    var first: UInt32 = 0
    /// Where the page's row is; zero for a page without blocks, whose row is empty.
    var row: UInt32 = 0
  }

  /// Of what begins at a multiple of 32: which of the page's blocks it is, counted from 1, and in the
  /// lowest bit whether it begins 16 bytes behind that. Zero where none does.
  private typealias Place = UInt16

  private let pages: UnsafeMutableBufferPointer<Page>
  private let rows: UnsafeMutableBufferPointer<Place>
  private let mask: UInt
  private static let rowLength = 128

  /// A table of blocks in order of address.
  init(of blocks: UnsafeBufferPointer<heap_block>) {
    let count = Self.pagesBegun(by: blocks)
    let room = UInt(count * 2 + 2)
    mask = (1 << UInt(UInt.bitWidth - room.leadingZeroBitCount)) - 1
    pages = .allocate(capacity: Int(mask) + 1)
    pages.initialize(repeating: Page())
    rows = .allocate(capacity: (count + 1) * Self.rowLength)
    LargePages.ask(for: UnsafeMutableRawBufferPointer(rows))
    rows.initialize(repeating: 0)
    fill(with: blocks)
  }

  /// Frees the table's memory.
  func deallocate() {
    pages.deallocate()
    rows.deallocate()
  }

  /// The block that begins at an address, a multiple of 16; -1 when none does.
  @inline(__always)
  func block(at address: UInt) -> Int {
    let page = pages[slot(of: address >> 12)]
    let place = rows[Int(page.row) * Self.rowLength + Self.place(of: address)]
    guard place != 0, UInt(place & 1) == address >> 4 & 1 else { return -1 }
    return Int(page.first) + Int(place >> 1) - 1
  }

  private func fill(with blocks: UnsafeBufferPointer<heap_block>) {
    var row = 0
    var last = UInt.max
    var first = 0
    for index in blocks.indices {
      let address = blocks[index].address
      if address >> 12 != last {
        (last, first, row) = (address >> 12, index, row + 1)
        pages[slot(of: last)] = Page(number: last, first: UInt32(index), row: UInt32(row))
      }
      rows[row * Self.rowLength + Self.place(of: address)] =
        Place(index - first + 1) << 1 | Place(address >> 4 & 1)
    }
  }

  @inline(__always)
  private static func place(of address: UInt) -> Int { Int(address >> 5) % rowLength }

  private static func pagesBegun(by blocks: UnsafeBufferPointer<heap_block>) -> Int {
    var count = 0
    var last = UInt.max
    for block in blocks where block.address >> 12 != last {
      last = block.address >> 12
      count += 1
    }
    return count
  }

  /// Where a page stands, or where it would.
  @inline(__always)
  private func slot(of number: UInt) -> Int {
    var slot = (number &* 0x9E37_79B9_7F4A_7C15) >> 32 & mask
    while pages[Int(slot)].number != number, pages[Int(slot)].row != 0 {
      slot = (slot + 1) & mask
    }
    return Int(slot)
  }
}
