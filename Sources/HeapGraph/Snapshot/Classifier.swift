import RuntimeABI

/// Says of each recorded block what it is.
struct Classifier {
  /// The recorded blocks.
  let blocks: BlockList
  /// The process around them.
  var surroundings = Surroundings()
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
    self.catalog = catalog
    for block in 0..<self.blocks.count { classify(block) }
    for home in Set(homes).map(blocks.index(containing:)) where home >= 0 {
      kinds[home] = .metadata
    }
    for block in 0..<self.blocks.count where kinds[block] == .memory { findSideTable(block) }
  }

  private mutating func classify(_ block: Int) {
    let size = blocks.size(block)
    guard size >= 16 else { return }
    let first = Memory.word(blocks.address(block))
    if first == symbols?.taskMetadata, size >= abi.task.size {
      guard TaskReader(address: blocks.address(block)).isTask(in: self) else { return }
      kinds[block] = .task
    } else if first == symbols?.slabMetadata, size >= abi.slab.header {
      kinds[block] = .taskSlab
    } else {
      classify(block, metadata: first, size: size)
    }
  }

  private mutating func classify(_ block: Int, metadata: UInt, size: UInt) {
    let id = catalog.id(of: metadata, blocks: blocks, surroundings: &surroundings)
    guard id >= 0 else { return }
    let isWhole = catalog.plans[Int(id)].fixedSize <= size
    guard isWhole, isLive(blocks.address(block)) else { return }
    layouts[block] = id
    kinds[block] = catalog.plans[Int(id)].kind
    if id != lastMet {
      lastMet = id
      homes.append(metadata)
    }
  }

  /// Whether what begins at an address has the reference count of an object that lives.
  func isLive(_ address: UInt) -> Bool {
    ReferenceCount.isLive(address) { blocks.index(of: $0) >= 0 }
  }

  // The table's first word is its object, even when the object is gone; an object that lives
  // points back. An object that has ended has a flag set in its counts.
  private mutating func findSideTable(_ block: Int) {
    let address = blocks.address(block)
    guard blocks.size(block) == abi.sideTable.size else { return }
    let object = Memory.word(address + abi.sideTable.object)
    guard object & 15 == 0, object != 0 else { return }
    let owner = blocks.index(of: object)
    let isPointedAt =
      owner >= 0 && blocks.size(owner) >= 16
      && ReferenceCount.sideTable(of: object) == address
    let hasEnded = Memory.word(address + abi.sideTable.counts) >> abi.object.deinitBit & 1 == 1
    if isPointedAt || (hasEnded && Memory.word(address + abi.sideTable.weakCount) < 1 << 32) {
      kinds[block] = .sideTable
    }
  }
}
