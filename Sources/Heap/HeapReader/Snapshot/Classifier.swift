import MemlabHeapModel
import MemlabRuntimeABI

/// Says of each recorded block what it is.
struct Classifier {
  /// The recorded blocks.
  let blocks: BlockList
  /// The process around them.
  let memory: ProcessMemory
  /// The reference counts of the blocks.
  let counts: ReferenceCounts
  /// The layouts met so far.
  var catalog: TypeCatalog
  /// What each block is.
  private(set) var kinds: ContiguousArray<HeapBlockKind>
  /// The block's layout in the catalogue; -1 for blocks without metadata.
  private(set) var layouts: ContiguousArray<Int32>
  private let symbols: RuntimeSymbols?
  // Where the metadata of the classified blocks is: some of it is in recorded blocks itself.
  private var homes: [UInt] = []
  private var lastMet: Int32 = -1

  /// Classifies all blocks.
  init(blocks: BlockList, catalog: TypeCatalog) {
    kinds = ContiguousArray(inLargePages: .memory, count: blocks.count)
    layouts = ContiguousArray(inLargePages: -1, count: blocks.count)
    symbols = RuntimeSymbols.current
    self.blocks = blocks
    memory = ProcessMemory(blocks: blocks)
    counts = ReferenceCounts(blocks: blocks)
    self.catalog = catalog
    for block in 0..<self.blocks.count { classify(block) }
    for home in Set(homes).map(blocks.index(containing:)) where home >= 0 {
      kinds[home] = .metadata
    }
    for block in 0..<self.blocks.count where kinds[block] == .memory { findSideTable(block) }
  }

  private mutating func classify(_ block: Int) {
    let region = blocks.region(block)
    guard region.count >= 16, let first = region.word(at: region.start) else { return }
    if first == symbols?.taskMetadata, region.count >= abi.task.size {
      guard TaskReader(in: region).isTask(in: self) else { return }
      kinds[block] = .task
    } else if first == symbols?.slabMetadata, region.count >= abi.slab.header {
      kinds[block] = .taskSlab
    } else {
      classify(block, metadata: first, region)
    }
  }

  private mutating func classify(_ block: Int, metadata: UInt, _ region: Region) {
    let id = catalog.id(of: metadata, memory)
    guard id >= 0 else { return }
    let isWhole = catalog.plans[Int(id)].fixedSize <= region.count
    guard isWhole, counts.isLive(region) else { return }
    layouts[block] = id
    kinds[block] = catalog.plans[Int(id)].kind
    if id != lastMet {
      lastMet = id
      homes.append(metadata)
    }
  }

  // The table's first word is its object, even when the object is gone; an object that lives
  // points back. An object that has ended has a flag set in its counts.
  private mutating func findSideTable(_ block: Int) {
    let region = blocks.region(block)
    let address = region.start
    guard region.count == abi.sideTable.size,
      let object = region.word(at: address + abi.sideTable.object), object & 15 == 0, object != 0,
      let bits = region.word(at: address + abi.sideTable.counts),
      let weakCount = region.word(at: address + abi.sideTable.weakCount)
    else { return }
    let isPointedAt = blocks.region(of: object).map { counts.sideTable(of: $0) } == address
    if isPointedAt || (counts.hasEnded(bits) && weakCount < 1 << 32) { kinds[block] = .sideTable }
  }
}
