import MemlabHeapModel
import MemlabRuntimeABI

/// What the scan of the blocks does not find by its tables of numbers: types met for the first time,
/// tasks, thrown errors, what is in existential containers.
final class HeapDetails: HeapGuide {
  /// What is around the blocks.
  let memory: ProcessMemory
  /// The layouts met so far.
  private(set) var catalog: TypeCatalog
  /// Where the metadata of an error's type is, by the error's block, unless it was made at run time.
  private(set) var errorTypes: [Int: UInt] = [:]
  /// The tasks that are blocks of their own, by block.
  var tasks: [Int: HeapTask] = [:]
  /// The tasks of `async let`, by address.
  var children: [UInt: HeapTask] = [:]
  /// The code of frames whose slots are not read.
  let skipped: Set<UInt>
  private var containers = ExistentialContainers()

  /// Prepares to be asked about some blocks.
  init(of blocks: BlockList, catalog: TypeCatalog, skippingFramesOf skipped: Set<UInt>) {
    memory = ProcessMemory(blocks: blocks)
    (self.catalog, self.skipped) = (catalog, skipped)
  }

  let taskMetadata = RuntimeSymbols.current.map { (task: $0.taskMetadata, slab: $0.slabMetadata) }

  func readType(_ word: UInt) -> Int32 { catalog.read(word, memory) }

  func isTask(_ region: Region, counts: ReferenceCounts) -> Bool {
    TaskReader(in: region).isTask(counts, memory.segments)
  }

  func isType(_ metadata: UInt) -> Bool { memory.isType(metadata) }

  func isTaskLocal(_ type: Int32) -> Bool {
    catalog.layouts[Int(type)].name.hasPrefix(abi.task.localType)
  }

  func isSpentCall(_ block: Int) -> Bool {
    memory.blocks.isSpentRedirection(block, memory.segments)
  }

  func containerShape(at address: UInt, in region: Region) -> ValueShape {
    containers.shape(at: address, in: region, memory)
  }

  func meetError(_ block: Int, _ region: Region) { errorTypes[block] = errorType(in: region) }

  // The error may be only partly written.
  private func errorType(in region: Region) -> UInt? {
    guard RuntimeTrust.knows(.errors),
      let type = region.word(at: region.start + abi.error.type), memory.isType(type),
      let kind = try? memory.word(type)
    else { return nil }
    let kinds = [abi.kind.classObject, abi.kind.structure, abi.kind.enumeration]
    return kinds.contains(kind) ? type : nil
  }
}
