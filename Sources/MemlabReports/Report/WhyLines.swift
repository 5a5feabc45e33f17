import HeapGraph
import MemlabKit
import TerminalText

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

extension RetainChain.Root {
  /// Whether a task of this name waits here. Of several that do, one is shown on a chain for all.
  fileprivate func isPlace(of task: HeapWaiter) -> Bool {
    node.name == task.name && suspendedIn == task.suspendedIn && frames == task.frames
  }
}

/// Why a task never finishes: what it waits for, where, and whether it was cancelled.
private struct WaiterLines {
  private let waiter: HeapWaiter
  private var count = 1

  private init(_ waiter: HeapWaiter) { self.waiter = waiter }

  /// A block for each task; equal ones are counted.
  static func blocks(for waiters: [HeapWaiter]) -> [WaiterLines] {
    waiters.reduce(into: []) { blocks, waiter in
      if let known = blocks.firstIndex(where: { $0.waiter == waiter }) {
        blocks[known].count += 1
      } else {
        blocks.append(WaiterLines(waiter))
      }
    }
  }

  /// The block, in lines of at most this width where names allow it.
  func lines(width: Int) -> [StyledText] {
    let title =
      count == 1 ? "why task \(waiter.name) never finishes" : "why \(tasks) never finish"
    let places = frames.enumerated().map { depth, frame in
      StyledText(String(repeating: " ", count: 6 + depth * 3) + "└─ \(frame.function)")
        + StyledText(frame.location.map { "   \($0)" } ?? "", .dim)
    }
    let reason = ProseLines.paragraph(remark, indent: "      ", width: width)
    return ["    " + StyledText(title, .emphasis) + " (read from the heap)"]
      + ["      " + StyledText(waiter.suspendedIn.map { "suspended in \($0)" } ?? "suspended")]
      + places + reason
  }

  // The optimiser leaves two pieces of a function on the chain, the second without a place.
  private var frames: [HeapFrame] {
    waiter.frames.reduce(into: []) { frames, frame in
      if frame.location != nil || frames.last?.function != frame.function { frames.append(frame) }
    }
  }

  private var tasks: String { "\(count) tasks \(waiter.name)" }

  private var remark: String {
    let it = count == 1 ? "it" : "them"
    return waiter.isCancelled
      ? "Somebody has cancelled \(it), and the wait goes on: what it waits for does not listen."
      : "Nobody has cancelled \(it), and nobody makes the wait end."
  }
}
