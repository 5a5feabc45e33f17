import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// Who holds whom after a step: a line for each holder, with `+` and `-` for what has changed in it.
enum HolderLines {
  /// The lines of a moment; none where the heap was not read.
  static func lines(_ moment: Moment, since before: Moment?) -> [StyledText] {
    guard let heap = moment.heap else { return [] }
    let rows = objectRows(moment.holders, before) + taskRows(heap.tasks)
    guard !rows.isEmpty else { return [] }
    var table = Table(columns: [.text(), .text(gutter: 1), .text(gutter: 1)])
    for row in rows { table.add(row) }
    return [StyledText("  who holds whom (read from the heap)", .dim)] + table.lines(indent: 2)
  }

  private static func objectRows(_ held: [HeldType], _ before: Moment?) -> [[StyledText]] {
    let old = before?.holders ?? []
    let gone = old.filter { old in !held.contains { $0.type == old.type } }
    let present = held.flatMap { held in
      rows(for: held, since: old.first { $0.type == held.type })
    }
    return present
      + gone.map { [StyledText($0.type, .dim), StyledText("-", .clean), "gone"] }
  }

  private static func rows(for held: HeldType, since old: HeldType?) -> [[StyledText]] {
    let before = old?.holders ?? []
    let kept = held.holders.map { holder -> (StyledText, StyledText) in
      let isNew = !before.contains(holder)
      return (
        isNew ? StyledText("← +", .emphasis) : "←", StyledText("\(holder)", isNew ? .emphasis : nil)
      )
    }
    let lost = before.filter { !held.holders.contains($0) }.map {
      (StyledText("  -", .dim), StyledText("\($0), released", .dim))
    }
    return (kept + lost).enumerated().map { index, line in
      [index == 0 ? StyledText(held.type) : "", line.0, line.1]
    }
  }

  private static func taskRows(_ tasks: [HeapWaiter]) -> [[StyledText]] {
    tasks.map { task in
      let place = task.suspendedIn.map { "waits in \($0)" } ?? "waits"
      return [
        StyledText("task \(task.name)"), StyledText(" ·", .dim), StyledText(place, .dim),
      ]
    }
  }
}
