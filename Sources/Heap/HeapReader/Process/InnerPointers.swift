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
  private let bounds: (lowest: UInt, span: UInt)

  /// Asks for those of some blocks that are memory of unknown use.
  package init(into targets: Set<Int>, _ survey: Survey) {
    (self.survey, blocks) = (survey, survey.blocks)
    self.targets = targets.filter { survey.kinds[$0] == .memory }
    // Blocks are in order of address.
    let lowest = self.targets.min().map(survey.blocks.address) ?? 0
    bounds = (lowest, (self.targets.max().map { survey.blocks.region($0).end } ?? 0) - lowest)
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
      if stand(in: region), mayHold(block) { holders.insert(block) }
    }
    return holders
  }

  /// Whether there is one to each of the blocks, outside of that block itself.
  package func reachAll() -> Bool {
    var rest = targets
    blocks.forEachBlock { block, region in
      guard !rest.isEmpty, mayHold(block) else { return }
      _ = region.containsWord(within: bounds) { _, address in
        if let target = target(of: address), target != block { rest.remove(target) }
        return rest.isEmpty
      }
    }
    return rest.isEmpty
  }

  /// Whether one stands in a stretch of readable memory.
  func stand(in region: Region) -> Bool {
    !targets.isEmpty && region.containsWord(within: bounds) { target(of: $1) != nil }
  }

  // The block that an address lies in, behind its beginning.
  private func target(of address: UInt) -> Int? {
    let target = blocks.index(containing: address)
    return targets.contains(target) && blocks.address(target) < address ? target : nil
  }

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
