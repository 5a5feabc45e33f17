import CMemlabProcess
import MemlabHeapModel

/// Who refers to the middle of blocks.
///
/// A C library may keep the address of a part of a block: of a link in its list, of the second base
/// of a C++ object, of what follows the counts of a Rust object. Swift's own references lead to the
/// beginning of an object, so only blocks of unknown use are asked about.
package struct InnerPointers {
  private var inGlobals: Set<Int> = []
  private var holders: [Int: [Int]] = [:]

  /// Looks through all memory of a survey, which must be held.
  package init(_ survey: Survey) {
    let marked = MarkedBlocks(ofUnknownUse: survey.kinds, among: survey.blocks)
    for segment in survey.segments.all where segment.is_writable == 1 && !segment.isCore {
      inGlobals.formUnion(marked.pointed(from: segment.region))
    }
    survey.blocks.forEachBlock { block, region in
      let targets = marked.pointed(from: region)
      guard !targets.isEmpty, survey.mayHold(block) else { return }
      for target in targets { holders[target, default: []].append(block) }
    }
  }

  /// Whether a global variable refers to the middle of one of some blocks.
  package func standInGlobals(_ blocks: Set<Int>) -> Bool { !inGlobals.isDisjoint(with: blocks) }

  /// The blocks that refer to the middle of some blocks.
  package func holders(of blocks: Set<Int>) -> Set<Int> {
    Set(blocks.flatMap { holders[$0] ?? [] })
  }

  /// Whether something refers to the middle of each of some blocks, outside of that block itself.
  package func reachAll(of blocks: Set<Int>) -> Bool {
    blocks.allSatisfy { block in holders[block]?.contains { $0 != block } == true }
  }
}

extension Survey {
  /// Asks who points into the middle of those of some blocks that are memory of unknown use.
  func marked(_ blocks: Set<Int>) -> MarkedBlocks {
    MarkedBlocks(blocks.filter { kinds[$0] == .memory }, among: self.blocks)
  }

  // What a finished task has left in its memory means nothing, nor do calls that were made.
  fileprivate func mayHold(_ block: Int) -> Bool {
    switch kinds[block] {
    case .taskSlab, .sideTable, .metadata: false
    case .task: tasks[block]?.isFinished == false
    case .memory: !leftovers.contains(block)
    case .instance, .buffer, .context, .error: true
    }
  }
}
