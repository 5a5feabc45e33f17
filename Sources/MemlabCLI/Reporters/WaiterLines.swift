import MemlabKit

/// Why a task never finishes: what it waits for, where, and whether it was cancelled.
struct WaiterLines {
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
        + StyledText(frame.place, .dim)
    }
    let reason = ProseLines.paragraph(remark, indent: "      ", width: width)
    return ["    " + StyledText(title, .emphasis) + " (read from the heap)"]
      + ["      " + StyledText(waiter.suspendedIn.map { "suspended in \($0)" } ?? "suspended")]
      + places + reason
  }

  // The optimiser leaves two pieces of a function on the chain, the second without a place.
  private var frames: [HeapFrame] {
    waiter.frames.reduce(into: []) { frames, frame in
      if frame.file != nil || frames.last?.function != frame.function { frames.append(frame) }
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

extension HeapFrame {
  /// The file and line, with spaces before them; nothing without debug information.
  var place: String {
    guard let file else { return "" }
    return "   " + file + (line.map { ":\($0)" } ?? "")
  }
}
