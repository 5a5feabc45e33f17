import CHeapRecorder

/// Who refers to the middle of some blocks.
///
/// A library in C may know what it was given by the address of a part: of a link in its list, of the
/// second base of a C++ object, of what follows the counts of one in Rust. Swift's own references are
/// to the beginning of an object, so only blocks of unknown use are asked about.
struct InnerPointers {
  private let survey: Survey
  // In order of address, for so are blocks.
  private let targets: [Int]

  /// Asks for those of some blocks that are memory of unknown use.
  init(into blocks: Set<Int>, _ survey: Survey) {
    self.survey = survey
    targets = blocks.filter { survey.kinds[$0] == .memory }.sorted()
  }

  /// Whether a global variable does.
  func standInGlobals() -> Bool {
    guard !targets.isEmpty else { return false }
    return survey.segments.all.contains {
      $0.is_writable == 1 && $0.is_core == 0 && stand(from: $0.start, to: $0.end)
    }
  }

  /// The blocks that do.
  func holders() -> Set<Int> {
    guard !targets.isEmpty else { return [] }
    return Set((0..<survey.blocks.count).filter { mayHold($0) && stand(in: $0) })
  }

  /// Whether there is one to each of the blocks, outside of that block itself.
  func reachAll() -> Bool {
    var rest = Set(targets)
    for block in 0..<survey.blocks.count where !rest.isEmpty && mayHold(block) {
      let start = survey.blocks.address(block)
      _ = containsWord(from: start, to: start + survey.blocks.size(block)) { word in
        if let target = target(of: word), target != block { rest.remove(target) }
        return rest.isEmpty
      }
    }
    return rest.isEmpty
  }

  /// Whether one stands in a stretch of readable memory.
  func stand(from start: UInt, to end: UInt) -> Bool {
    containsWord(from: start, to: end) { target(of: $0) != nil }
  }

  private func containsWord(
    from start: UInt, to end: UInt, where isMeant: (_ word: UInt) -> Bool
  ) -> Bool {
    guard let first = targets.first, let last = targets.last else { return false }
    let lowest = survey.blocks.address(first)
    let span = survey.blocks.address(last) + survey.blocks.size(last) - lowest
    return Memory.containsWord(from: start, to: end, within: (lowest, span)) { place in
      isMeant(Memory.untagged(Memory.word(place)))
    }
  }

  // The block that an address lies in, behind its beginning.
  private func target(of address: UInt) -> Int? {
    let last = targets.indices.end { survey.blocks.address(targets[$0]) < address } - 1
    guard last >= 0 else { return nil }
    let target = targets[last]
    return address - survey.blocks.address(target) < survey.blocks.size(target) ? target : nil
  }

  private func stand(in block: Int) -> Bool {
    let start = survey.blocks.address(block)
    return stand(from: start, to: start + survey.blocks.size(block))
  }

  // What a finished task has left in its memory means nothing, nor do calls that were made.
  private func mayHold(_ block: Int) -> Bool {
    switch survey.kinds[block] {
    case .taskSlab, .sideTable, .metadata: false
    case .task: survey.tasks[block]?.isFinished == false
    case .memory: !survey.blocks.isSpentRedirection(block, survey.segments)
    case .instance, .buffer, .context, .error: true
    }
  }
}
