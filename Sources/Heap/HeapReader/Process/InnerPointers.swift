import CMemlabProcess
import MemlabHeapModel

/// Who refers to the middle of some blocks.
///
/// A C library may keep the address of a part of a block: of a link in its list, of the second base
/// of a C++ object, of what follows the counts of a Rust object. Swift's own references lead to the
/// beginning of an object, so only blocks of unknown use are asked about.
package struct InnerPointers {
  private let survey: Survey
  // In order of address, as blocks are.
  private let targets: [Int]

  /// Asks for those of some blocks that are memory of unknown use.
  package init(into blocks: Set<Int>, _ survey: Survey) {
    self.survey = survey
    targets = blocks.filter { survey.kinds[$0] == .memory }.sorted()
  }

  /// Whether a global variable does.
  package func standInGlobals() -> Bool {
    survey.segments.all.contains { $0.is_writable == 1 && !$0.isCore && stand(in: $0.region) }
  }

  /// The blocks that do.
  package func holders() -> Set<Int> {
    guard !targets.isEmpty else { return [] }
    return Set(
      (0..<survey.blocks.count).filter { mayHold($0) && stand(in: survey.blocks.region($0)) })
  }

  /// Whether there is one to each of the blocks, outside of that block itself.
  package func reachAll() -> Bool {
    var rest = Set(targets)
    for block in 0..<survey.blocks.count where !rest.isEmpty && mayHold(block) {
      _ = containsWord(in: survey.blocks.region(block)) { address in
        if let target = target(of: address), target != block { rest.remove(target) }
        return rest.isEmpty
      }
    }
    return rest.isEmpty
  }

  /// Whether one stands in a stretch of readable memory.
  func stand(in region: Region) -> Bool { containsWord(in: region) { target(of: $0) != nil } }

  private func containsWord(in region: Region, where isMeant: (_ address: UInt) -> Bool) -> Bool {
    guard let first = targets.first, let last = targets.last else { return false }
    let lowest = survey.blocks.address(first)
    let span = survey.blocks.address(last) + survey.blocks.size(last) - lowest
    return region.containsWord(within: (lowest, span)) { _, address in isMeant(address) }
  }

  // The block that an address lies in, behind its beginning.
  private func target(of address: UInt) -> Int? {
    let last = targets.indices.end { survey.blocks.address(targets[$0]) < address } - 1
    guard last >= 0 else { return nil }
    let target = targets[last]
    return address - survey.blocks.address(target) < survey.blocks.size(target) ? target : nil
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
