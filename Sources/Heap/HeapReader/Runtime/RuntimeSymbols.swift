import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// The values that `libswift_Concurrency` exports for debuggers.
struct RuntimeSymbols {
  /// The first word of every task.
  let taskMetadata: UInt
  /// The first word of every slab of a task's allocator.
  let slabMetadata: UInt
  /// The version of the layout of tasks.
  let layoutVersion: UInt32
  /// A task's size in bytes, without what follows its fixed part.
  let taskSize: UInt

  /// The values of this process; nil where the library doesn't export them.
  static let current = RuntimeSymbols()

  private init?() {
    func address(_ name: String) -> UInt? {
      loaded_symbol(abi.symbols.debugPrefix + name).map { UInt(bitPattern: $0) }
    }
    guard let task = address(abi.symbols.taskMetadata),
      let slab = address(abi.symbols.slabMetadata),
      let version = address(abi.symbols.layoutVersion), let size = address(abi.symbols.taskSize)
    else { return nil }
    let segments = LoadedSegments.current()
    guard let taskMetadata = segments.segment(at: task)?.region.word(at: task),
      let slabMetadata = segments.segment(at: slab)?.region.word(at: slab),
      let layoutVersion = segments.segment(at: version)?.region.uint32(at: version),
      let taskSize = segments.segment(at: size)?.region.word(at: size)
    else { return nil }
    (self.taskMetadata, self.slabMetadata) = (taskMetadata, slabMetadata)
    (self.layoutVersion, self.taskSize) = (layoutVersion, taskSize)
  }
}
