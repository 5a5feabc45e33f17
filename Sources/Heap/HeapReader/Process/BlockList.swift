import CMemlabRecorder
import MemlabHeapModel
import MemlabRuntimeABI

/// The recorded blocks in order of address, with a way from an address to its block.
///
/// A value of plain numbers and pointers, so that asking it costs no reference counting; the memory
/// goes with the last copy.
struct BlockList: @unchecked Sendable {
  /// The recorder's copy of its list.
  let blocks: UnsafeBufferPointer<heap_block>
  private let table: PageTable
  private let lowest: UInt
  private let span: UInt
  private let alignmentBits = abi.reference.alignment - 1
  private let storage: Storage

  private final class Storage {
    let blocks: UnsafeBufferPointer<heap_block>
    let table: PageTable

    init(_ blocks: UnsafeBufferPointer<heap_block>, _ table: PageTable) {
      self.blocks = blocks
      self.table = table
    }

    deinit {
      blocks.deallocate()
      table.deallocate()
    }
  }

  /// Copies the recorder's list.
  init() {
    blocks = Self.copy()
    lowest = blocks.first?.address ?? 0
    span = (blocks.last?.address ?? 0) - lowest
    table = PageTable(of: blocks)
    storage = Storage(blocks, table)
  }

  // A trial leaves a few dozen blocks; for more, or when other threads go on allocating, the copy
  // is made again.
  private static func copy() -> UnsafeBufferPointer<heap_block> {
    var needed = 256
    while true {
      let room = UnsafeMutableBufferPointer<heap_block>.allocate(capacity: needed + needed / 8)
      LargePages.ask(for: UnsafeMutableRawBufferPointer(room))
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

  /// The part of a block that may be in use.
  ///
  /// An array and a `ManagedBuffer` ask the allocator, which rounds sizes up, how much they got, and
  /// fill that.
  ///
  /// - Parameters:
  ///   - kind: what the block is.
  ///   - fixedSize: the size of the part that its type describes; elements are what comes after it.
  func room(_ index: Int, of kind: HeapBlockKind, behind fixedSize: UInt) -> Region {
    let size = size(index)
    guard kind == .instance || kind == .buffer, size > fixedSize else { return region(index) }
    return Region(proven: address(index), count: UInt(heap_block_room(blocks[index])))
  }

  /// The recorder's number of a block: the later, the higher.
  func serial(_ index: Int) -> UInt64 { heap_block_serial(blocks[index]) }

  /// The index of the block that begins at `address`, -1 if none does.
  @inline(__always)
  func index(of address: UInt) -> Int {
    guard address &- lowest <= span, address & alignmentBits == 0 else { return -1 }
    return table.block(at: address)
  }

  /// The index of the block that `address` lies in, -1 if it lies in none.
  func index(containing address: UInt) -> Int {
    let block = (0..<count).end { blocks[$0].address <= address } - 1
    guard block >= 0, address - blocks[block].address < size(block) else { return -1 }
    return block
  }
}
