import CMemlabProcess
import MemlabHeapModel

/// Who refers to the middle of some blocks.
///
/// A C library may keep the address of a part of a block: of a link in its list, of the second base
/// of a C++ object, of what follows the counts of a Rust object. Swift's own references lead to the
/// beginning of an object, so only blocks of unknown use are asked about.
package struct InnerPointers {
  private let survey: Survey
  private let blocks: BlockList
  private let targets: Set<Int>
  private let marked: MarkedBlocks

  /// Asks for those of some blocks that are memory of unknown use.
  package init(into targets: Set<Int>, _ survey: Survey) {
    (self.survey, blocks) = (survey, survey.blocks)
    self.targets = targets.filter { survey.kinds[$0] == .memory }
    marked = MarkedBlocks(Array(self.targets), among: blocks)
  }

  /// Whether a global variable does.
  package func standInGlobals() -> Bool {
    survey.segments.all.contains { $0.is_writable == 1 && !$0.isCore && stand(in: $0.region) }
  }

  /// The blocks that do.
  package func holders() -> Set<Int> {
    var holders = Set<Int>()
    guard !targets.isEmpty else { return holders }
    blocks.forEachBlock { block, region in
      if mayHold(block), stand(in: region) { holders.insert(block) }
    }
    return holders
  }

  /// Whether there is one to each of the blocks, outside of that block itself.
  package func reachAll() -> Bool {
    var rest = targets
    blocks.forEachBlock { block, region in
      guard !rest.isEmpty, mayHold(block) else { return }
      rest.subtract(marked.pointed(from: region).subtracting([block]))
    }
    return rest.isEmpty
  }

  /// Whether one stands in a stretch of readable memory.
  func stand(in region: Region) -> Bool { !marked.pointed(from: region).isEmpty }

  // What a finished task has left in its memory means nothing, nor do calls that were made.
  private func mayHold(_ block: Int) -> Bool {
    switch survey.kinds[block] {
    case .taskSlab, .sideTable, .metadata: false
    case .task: survey.tasks[block]?.isFinished == false
    case .memory: !survey.leftovers.contains(block)
    case .instance, .buffer, .context, .error: true
    }
  }
}
