import MemlabKit

/// Why survivors are alive: for each, the chain of strong references from its root, with the edge
/// to cut underlined.
enum WhyLines {
  /// The chains, a blank line between two.
  static func lines(for trial: TrialReport, width: Int) -> [StyledText] {
    let chains = AlikeChains.all(of: trial).map { ChainLines($0, width: width).lines }
    return Array(chains.joined(separator: [""]))
  }

  /// Why tasks never finish that wait where none of the chains begins, a blank line between two.
  static func waiters(of trial: TrialReport, width: Int) -> [StyledText] {
    guard let heap = trial.heap else { return [] }
    let roots = heap.paths.map(\.root).filter { $0.kind == .task }
    let blocks = WaiterLines.blocks(
      for: heap.tasks.filter { task in !roots.contains { $0.isPlace(of: task) } })
    return Array(blocks.map { $0.lines(width: width) }.joined(separator: [""]))
  }

  /// What the survivors and the unfinished tasks cost; not the same in debug and release.
  static func cost(of trial: TrialReport) -> [StyledText] {
    guard let blocks = trial.heap?.leakedBlocks, let bytes = trial.heap?.leakedBytes, blocks > 0
    else { return [] }
    let cost = counted(blocks, "block")
    return [StyledText("    the leak costs \(cost) of memory, \(bytes) bytes")]
  }
}

extension HeapRoot {
  /// Whether a task of this name waits here. Of several that do, one is shown on a chain for all.
  fileprivate func isPlace(of task: HeapWaiter) -> Bool {
    name == task.name && suspendedIn == task.suspendedIn && frames == task.frames
  }
}
