import MemlabKit

/// What is otherwise with another Swift than the one that the texts in the tests were recorded with.
///
/// With Swift 6.2, the pool is the default scheduler. Where a distribution has stripped Swift's
/// libraries, as Debian has, nothing says which of their functions a task waits in.
public enum OtherSwift {
  /// Whether this is such a Swift.
  public static var isOn: Bool { VirtualScheduler.obstacle != nil }

  /// The lines of a text without what differs, where it does; as they are with the Swift of the
  /// record.
  public static func common(_ lines: [String]) -> [String] {
    guard isOn else { return lines }
    return lines.map { line in
      line.replacing(#/Async(?:Throwing)?Stream\.Iterator\.next\(\)|a continuation/#, with: "…")
        .replacing(#/(?:virtual|pool)\)/#, with: "…)")
        // On the pool, what its threads allocate once is a fraction of a byte for each run.
        .replacing(#/(GROWS by \d+)\.\d bytes/#) { "\($0.1) bytes" }
        .replacing(#/^ +/#, with: "")
    }.filter { $0 != "└─ next()" && !$0.contains(leftToLuck) }
  }

  /// The same for a text.
  public static func common(_ text: String) -> String {
    isOn ? common(text.newlineSeparated).joined(separator: "\n") : text
  }

  /// Whether lines are as recorded, apart from what differs here.
  public static func agrees(_ lines: [String], with recorded: [String]) -> Bool {
    let (lines, recorded) = (common(lines), common(recorded))
    return lines == recorded
      || WithoutHeap.isOn && WithoutHeap.has(recorded, theLines: lines)
  }

  /// Whether a command of memlab's prints here what was recorded: `--schedules` cannot, nor what
  /// depends on the order of the jobs, nor without the heap what only tells of the heap.
  public static func canRun(_ words: [String]) -> Bool {
    if isOn, words.contains(where: { $0.hasPrefix("--schedules") || $0 == leftToLuck }) {
      return false
    }
    return !WithoutHeap.isOn
      || !words.contains { ["graph", "exercise", "--instances"].contains($0) }
  }

  /// The one scenario whose endings measure something else in another order of the jobs. On the pool,
  /// the machine decides the order.
  public static let leftToLuck = "accessor-lock"

  /// The rows of the runtime's table for which nothing can be planted: Swift 6.2 names neither the
  /// threads of libdispatch nor the tasks of Swift Testing, and a stripped library has no types.
  public static let uncheckedRows: Set =
    isOn
    ? [
      "libraries.workerThread", "testing.taskPrefix", "testing.typePrefix", "testing.graph",
    ] : []
}
