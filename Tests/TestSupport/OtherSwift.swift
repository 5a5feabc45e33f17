import MemlabKit
import MemlabRuntimeABI

/// How to compare with texts that were recorded with another Swift than this one: see ``OnThePool``,
/// ``StrippedLibraries`` and ``WithoutHeap`` for what is otherwise where.
package enum OtherSwift {
  /// The lines of a text without what differs, where it does; as they are with the Swift of the
  /// record.
  package static func common(_ lines: [String]) -> [String] {
    StrippedLibraries.without(OnThePool.without(lines))
  }

  /// The same for a text.
  package static func common(_ text: String) -> String {
    common(text.newlineSeparated).joined(separator: "\n")
  }

  /// Whether lines are as recorded, apart from what differs here.
  package static func agrees(_ lines: [String], with recorded: [String]) -> Bool {
    let (lines, recorded) = (common(lines), common(recorded))
    return lines == recorded || WithoutHeap.isOn && WithoutHeap.has(recorded, theLines: lines)
  }

  /// Whether a command of memlab's prints here what was recorded: without the heap it does not where
  /// it only tells of the heap.
  package static func canRun(_ words: [String]) -> Bool {
    let needsHeap = words.contains {
      ["graph", "cut", "hunt", "--for", "exercise", "--instances"].contains($0)
    }
    return OnThePool.canRun(words) && !(WithoutHeap.isOn && needsHeap)
  }

  /// The rows of the runtime's table for which nothing can be planted: Swift 6.2 names neither the
  /// threads of libdispatch nor the tasks of Swift Testing, and a stripped library has no types.
  package static let uncheckedRows: Set =
    Set(RuntimeColumn.isBefore63 ? ["libraries.workerThread", "testing.taskPrefix"] : [])
    .union(StrippedLibraries.isOn ? ["testing.typePrefix", "testing.graph"] : [])
}
