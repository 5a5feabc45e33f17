import MemlabHeapModel

/// The memory of some tasks: the blocks of the tasks, and of their slabs.
struct TaskMemory {
  private struct Part {
    var block: Int
    var task: Int
  }

  // In order of address.
  private let parts: [Part]

  /// The memory of tasks that are blocks of a survey.
  init(of tasks: [Int], _ survey: Survey) {
    parts = tasks.flatMap { task in
      let slabs = survey.edges.edges(of: task).filter { survey.edges.kinds[$0] == .slab }
      return [Part(block: task, task: task)]
        + slabs.map { Part(block: Int(survey.edges.targets[$0]), task: task) }
    }.sorted { $0.block < $1.block }
  }

  /// The tasks in whose memory, behind its beginning, something is whose address stands in another
  /// block; a task once for each part of its memory.
  func tasks(pointedAtBy source: Int, _ blocks: BlockList) -> [Int] {
    guard let first = parts.first, let last = parts.last else { return [] }
    let lowest = blocks.address(first.block)
    let span = blocks.address(last.block) + blocks.size(last.block) - lowest
    var found: Set<Int> = []
    _ = blocks.region(source).containsWord(within: (lowest, span)) { _, address in
      let index = parts.indices.end { blocks.address(parts[$0].block) < address } - 1
      guard index >= 0, isInside(address, blocks.region(parts[index].block)) else { return false }
      found.insert(index)
      return false
    }
    return found.sorted().map { parts[$0].task }.filter { task in
      !parts.contains { $0.task == task && $0.block == source }
    }
  }

  private func isInside(_ address: UInt, _ region: Region) -> Bool {
    address >= region.start + 8 && region.contains(address, count: 8)
  }
}
