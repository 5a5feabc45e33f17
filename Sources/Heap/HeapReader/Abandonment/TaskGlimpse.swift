package import MemlabHeapModel
import MemlabRuntimeABI

/// The tasks of a check as they were when the heap was listed.
///
/// A task that lives for a few milliseconds is gone before a snapshot has read its memory. Its frames
/// are read here as soon as its block is known.
package struct TaskGlimpse: Sendable {
  private let objects: Set<UInt>
  private let metadata: UInt
  private let bystander: UInt
  private var seen: [(task: HeapTask, chain: ResumeChain)] = []

  /// A glimpse of the tasks that have one of some objects as a task-local value.
  ///
  /// - Parameters:
  ///   - objects: where the objects are.
  ///   - type: the type of the task-local variable.
  ///   - bystander: where a task is that does not count.
  package init(withLocal objects: [UInt], of type: Any.Type, except bystander: UInt) {
    self.objects = Set(objects)
    metadata = unsafeBitCast(type, to: UInt.self)
    self.bystander = bystander
  }

  /// Where the tasks waited.
  ///
  /// - Parameter modules: functions declared in these modules are left out.
  package func traces(hiding modules: Set<String>) -> [TaskTrace] {
    seen.map { TaskTrace($0.task, AsyncBacktrace($0.chain, hiding: modules)) }
  }

  /// Looks at the blocks that have just been listed, while none of them can go away.
  mutating func look(at blocks: BlockList) {
    guard !objects.isEmpty, let symbols = RuntimeSymbols.current else { return }
    for block in 0..<blocks.count {
      let region = blocks.region(block)
      guard region.count >= abi.task.size, region.word(at: region.start) == symbols.taskMetadata
      else { continue }
      look(at: TaskReader(in: region), blocks)
    }
  }

  private mutating func look(at task: TaskReader, _ blocks: BlockList) {
    guard !task.isFinished, task.address != bystander, hasLocal(task, blocks),
      let start = UnsafeRawPointer(bitPattern: task.address),
      let chain = ResumeChain(ofTask: start, limit: 256)
    else { return }
    seen.append((task.described(ProcessMemory(blocks: blocks)), chain))
  }

  // A task-local value stands behind its type, in the task's own block or in its first slab.
  private func hasLocal(_ task: TaskReader, _ blocks: BlockList) -> Bool {
    [blocks.region(of: task.address), blocks.region(of: task.firstSlab)].contains { region in
      var isFound = false
      region?.forEachWord(from: 0, to: .max) { place, word in
        isFound =
          isFound
          || objects.contains(word) && region?.word(at: place &- abi.task.localValue) == metadata
      }
      return isFound
    }
  }
}
