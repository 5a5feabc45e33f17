import MemlabHeapModel
import MemlabRuntimeABI

/// What the scan asks about the few blocks that tables of numbers do not explain.
package protocol HeapGuide: AnyObject {
  /// The metadata that all tasks begin with, and all slabs of tasks; nil where it is not known.
  var taskMetadata: (task: UInt, slab: UInt)? { get }
  /// Reads a type that is met for the first time, and adds it to the table.
  ///
  /// - Parameter word: what a block begins with.
  /// - Returns: the type's number; -1 where the word is no address of heap metadata.
  func readType(_ word: UInt) -> Int32
  /// Whether what begins with a task's first word is a task that lives.
  func isTask(_ region: Region, counts: ReferenceCounts) -> Bool
  /// The blocks that are nothing but memory of a task; none where that is in slabs.
  func ownBlocks(ofTask region: Region, counts: ReferenceCounts) -> [Int]
  /// Whether metadata of a type is at an address.
  func isType(_ metadata: UInt) -> Bool
  /// Whether objects of a type, by its number, are task-local variables.
  func isTaskLocal(_ type: Int32) -> Bool
  /// Whether the words of a block of unknown use are leftovers.
  func isLeftover(_ block: Int) -> Bool
  /// Where an existential container at an address has references.
  func containerShape(at address: UInt, in region: Region) -> ValueShape
  /// Adds what a task holds.
  func findInTask(_ block: Int, _ region: Region, _ finder: inout EdgeFinder)
  /// Is told of a thrown error.
  func meetError(_ block: Int, _ region: Region)
}

/// Says of each recorded block what it is.
package struct Classifier {
  /// The recorded blocks.
  package let blocks: BlockList
  /// What is loaded.
  package let segments: LoadedSegments
  /// The reference counts of the blocks.
  package let counts: ReferenceCounts
  /// What each block is.
  package private(set) var kinds: BlockTypes
  /// One more than the strong count of each block that has one, zero elsewhere.
  private(set) var strong: SmallCounts
  /// The layouts of the types.
  let table: TypeTable
  /// Who knows the types that the table does not have yet.
  let guide: any HeapGuide
  private let destroyer = abi.metadata.destroyer
  private let taskSize = abi.task.size
  private let slabSize = abi.slab.header
  // How the latest blocks of the types that were met lately begin and how large they are, and what that made
  // of them, each at a place that its metadata's address gives: most blocks are like one before.
  private typealias Latest = (word: UInt, size: UInt, counts: UInt, type: Int32, strong: Int32)
  private var recent = ContiguousArray<Latest>(repeating: (0, 0, 0, -1, 0), count: 64)
  // Where the metadata of the classified blocks is: some of it is in recorded blocks itself.
  private var homes: Set<UInt> = []
  private var tasks: [Int] = []
  private let countsPlace = abi.object.counts

  /// Classifies all blocks.
  package init(
    blocks: BlockList, segments: LoadedSegments, table: TypeTable, guide: any HeapGuide
  ) {
    (self.blocks, self.segments) = (blocks, segments)
    (self.table, self.guide) = (table, guide)
    counts = ReferenceCounts(blocks: blocks)
    kinds = BlockTypes(blocks: blocks.count)
    strong = SmallCounts(blocks: blocks.count)
    let metadata = guide.taskMetadata ?? (0, 0)
    blocks.forEachBlock { classify($0, $1, metadata) }
    for home in homes.map(blocks.index(containing:)) where home >= 0 {
      kinds.set(home, .metadata)
      strong[home] = 0
    }
    let size = abi.sideTable.size
    for task in tasks {
      for block in guide.ownBlocks(ofTask: blocks.region(task), counts: counts) {
        if case .memory = kinds[block] { kinds.set(block, .taskSlab) }
      }
    }
    blocks.forEachBlock { block, region in
      guard region.count == size, case .memory = kinds[block] else { return }
      if isSideTable(region) { kinds.set(block, .sideTable) }
    }
  }

  @inline(__always)
  private mutating func classify(
    _ block: Int, _ region: Region, _ metadata: (task: UInt, slab: UInt)
  ) {
    guard region.count >= 16, let first = region.word(at: region.start), first != 0 else { return }
    if first == metadata.task, region.count >= taskSize {
      guard isTask(region) else { return }
      kinds.set(block, .task)
      tasks.append(block)
    } else if first == metadata.slab, region.count >= slabSize {
      kinds.set(block, .taskSlab)
      return
    } else {
      let word = region.word(at: region.start + countsPlace) ?? 0
      let place = Int(first >> 4 & 63)
      let latest = recent[place]
      if first != latest.word || region.count != latest.size || word != latest.counts {
        guard let type = liveType(region, first, latest) else { return }
        let strong = counts.strong(of: region).map { Int32(clamping: $0 + 1) } ?? 0
        // What the counts are that stand in a side table, the word does not tell.
        let isWhole = counts.sideTable(of: region) == 0
        recent[place] = (first, isWhole ? region.count : 0, word, type, strong)
      }
      kinds.set(block, type: recent[place].type, in: table)
      strong[block] = recent[place].strong
      return
    }
    strong[block] = counts.strong(of: region).map { Int32(clamping: $0 + 1) } ?? 0
  }

  @inline(never)
  private mutating func liveType(_ region: Region, _ first: UInt, _ latest: Latest) -> Int32? {
    let isRecent = latest.word == first
    let type = isRecent ? latest.type : type(of: first)
    guard type >= 0, table.plans[Int(type)].fixedSize <= region.count, counts.isLive(region)
    else { return nil }
    if !isRecent { homes.insert(first) }
    return type
  }

  @inline(never)
  private func isTask(_ region: Region) -> Bool { guide.isTask(region, counts: counts) }

  private func type(of word: UInt) -> Int32 {
    guard word & 7 == 0, Region.isAddress(word) else { return -1 }
    let known = table.id(of: word)
    return known >= 0 || !canBeMetadata(word) ? known : guide.readType(word)
  }

  // Before heap metadata stands the address of code. What is neither in a loaded image nor in a
  // recorded block, only the guide can read.
  private func canBeMetadata(_ word: UInt) -> Bool {
    let place = word &- destroyer
    let region: Region
    if let segment = segments.segment(at: place) {
      region = segment.region
    } else {
      let block = blocks.index(containing: place)
      guard block >= 0 else { return true }
      region = blocks.region(block)
    }
    return region.word(at: place).map { segments.isCode($0) } ?? false
  }

  // The table's first word is its object, even when the object is gone; an object that lives
  // points back. An object that has ended has a flag set in its counts.
  private func isSideTable(_ region: Region) -> Bool {
    let address = region.start
    guard let object = region.word(at: address + abi.sideTable.object), object & 15 == 0,
      object != 0, let bits = region.word(at: address + abi.sideTable.counts),
      let weakCount = region.word(at: address + abi.sideTable.weakCount)
    else { return false }
    let isPointedAt = blocks.region(of: object).map { counts.sideTable(of: $0) } == address
    return isPointedAt || (counts.hasEnded(bits) && weakCount < 1 << 32)
  }
}

extension HeapBlockKind {
  /// Whether it is an instance of a class; without a comparison of names.
  var isInstance: Bool { if case .instance = self { true } else { false } }

  /// Whether the runtime keeps a strong count for blocks of this kind.
  package var isCounted: Bool {
    switch self {
    case .instance, .buffer, .context, .error, .task: true
    case .taskSlab, .sideTable, .metadata, .memory: false
    }
  }
}
