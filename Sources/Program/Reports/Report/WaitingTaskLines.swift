import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// Why tasks never finish: those at which none of the printed chains begins.
enum WaitingTaskLines {
  /// A block for each, a blank line between two; equal ones are counted.
  static func lines(of trial: TrialReport, width: Int) -> [StyledText] {
    guard let heap = trial.heap else { return [] }
    let roots = heap.paths.map(\.root).filter { $0.kind == .task }
    let blocks = WaitingTask.all(
      of: heap.tasks.filter { task in !roots.contains { $0.isPlace(of: task) } })
    return Array(blocks.map { $0.lines(width: width) }.joined(separator: [""]))
  }
}

extension RetainChain.Root {
  /// Whether a task of this name waits here. Of several that do, one is shown on a chain for all.
  fileprivate func isPlace(of task: HeapWaiter) -> Bool {
    node.name == task.name && suspendedIn == task.suspendedIn && frames == task.frames
  }
}

/// Why a task never finishes: what it waits for, where, and whether it was cancelled.
private struct WaitingTask {
  private let waiter: HeapWaiter
  private var count = 1

  private init(_ waiter: HeapWaiter) { self.waiter = waiter }

  /// A block for each task; equal ones are counted.
  static func all(of waiters: [HeapWaiter]) -> [WaitingTask] {
    waiters.reduce(into: []) { blocks, waiter in
      if let known = blocks.firstIndex(where: { $0.waiter == waiter }) {
        blocks[known].count += 1
      } else {
        blocks.append(WaitingTask(waiter))
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
