package import MemlabKit
import MemlabTerminalText

/// The counts of objects and tasks after a step. Each that has changed in it has a remark in words,
/// `◀ created 1`, or where there is no room for words with a sign, `◀ +1`.
enum CountTable {
  /// The table; every row is there from the first step on, so that nothing jumps.
  ///
  /// - Parameter collapsing: whether one line stands for all counts that have not changed.
  static func lines(
    _ moment: Moment, since before: Moment?, as report: TrialReport, width: Int,
    collapsing: Bool = false
  ) -> [StyledText] {
    if collapsing { return changedLines(moment, since: before, as: report, width: width) }
    let lines = lines(moment, since: before, as: report, inSigns: false)
    guard lines.contains(where: { $0.width > width }) else { return lines }
    return self.lines(moment, since: before, as: report, inSigns: true)
  }

  private static func changedLines(
    _ moment: Moment, since before: Moment?, as report: TrialReport, width: Int
  ) -> [StyledText] {
    let (objects, tasks) = CountRow.all(of: report, moment, since: before)
    let all: [(words: String, isSame: Bool)] =
      objects.map { ("\($0.name) \($0.now[2]) alive", $0.isSame) }
      + tasks.map { ("task \($0.name) \($0.now[2]) live", $0.isSame) }
    let changed = all.filter { !$0.isSame }.map { StyledText("  ◀ \($0.words)", .emphasis) }
    let same = all.filter(\.isSame).map(\.words)
    guard !same.isEmpty else { return changed }
    let lines = [same.joined(separator: ", "), counted(same.count, "other count")]
      .map { "  as before: \($0)" }
    return changed + [StyledText(lines.first { $0.displayWidth <= width } ?? lines[1], .dim)]
  }

  private static func lines(
    _ moment: Moment, since before: Moment?, as report: TrialReport, inSigns: Bool
  ) -> [StyledText] {
    var table = Table(columns: [.text(), .number(), .number(), .number(), .text(gutter: 3)])
    func add(_ heads: [StyledText], _ rows: [CountRow], begun: String, ended: String) {
      if !rows.isEmpty { table.add(heads, style: .dim) }
      let verbs = inSigns ? ["+", "-"] : [begun + " ", ended + " "]
      for row in rows {
        let changed = verbs.indices.filter { row.now[$0] > row.before[$0] }
          .map { "\(verbs[$0])\(row.now[$0] - row.before[$0])" }
        let remark = changed.isEmpty ? "" : "◀ " + changed.joined(separator: ", ")
        let cells = [row.name] + row.now.map { "\($0)" } + [remark]
        table.add(cells.map { StyledText($0, changed.isEmpty ? nil : .emphasis) })
      }
    }
    let (objects, tasks) = CountRow.all(of: report, moment, since: before)
    let (created, gone) = ("created", "deinitialised")
    add(["object", "created", "deinitialised", "alive"], objects, begun: created, ended: gone)
    add(["task", "started", "finished", "live"], tasks, begun: "started", ended: "finished")
    return table.lines(indent: 2)
  }
}

/// The counts of an object's type or of a task after a step, and after the step before.
package struct CountRow {
  /// What is counted.
  package let name: String
  /// How many were begun, how many ended, and how many are left.
  package let now, before: [Int]

  /// Whether nothing has changed.
  package var isSame: Bool { now == before }

  /// The rows of a report; every row is there from the first step on.
  package static func all(
    of report: TrialReport, _ moment: Moment, since before: Moment?
  ) -> (objects: [CountRow], tasks: [CountRow]) {
    let (now, then) = (moment.totals, before?.totals ?? Totals())
    return (
      report.objects.map(\.type).map {
        CountRow(name: $0, now: now.object($0).inColumns, before: then.object($0).inColumns)
      },
      report.tasks.map(\.name).map {
        CountRow(name: $0, now: now.task($0).inColumns, before: then.task($0).inColumns)
      }
    )
  }
}

extension ObjectCount { fileprivate var inColumns: [Int] { [created, deinitialized, alive] } }

extension TaskCount { fileprivate var inColumns: [Int] { [started, finished, live] } }

/// Who holds whom after a step: a line for each holder, with `+` and `-` for what has changed in it.
enum HolderLines {
  /// The lines of a moment; none where the heap was not read.
  static func lines(_ moment: Moment, since before: Moment?) -> [StyledText] {
    guard let heap = moment.heap else { return [] }
    let tasks = heap.tasks.map { task in
      let place = task.suspendedIn.map { "waits in \($0)" } ?? "waits"
      return [StyledText("task \(task.name)"), StyledText(" ·", .dim), StyledText(place, .dim)]
    }
    let rows = objectRows(moment.holders, before) + tasks
    guard !rows.isEmpty else { return [] }
    var table = Table(columns: [.text(), .text(gutter: 1), .text(gutter: 1)])
    for row in rows { table.add(row) }
    return [StyledText("  who holds whom (read from the heap)", .dim)] + table.lines(indent: 2)
  }

  private static func objectRows(_ held: [HeldType], _ before: Moment?) -> [[StyledText]] {
    let old = before?.holders ?? []
    let gone = old.filter { old in !held.contains { $0.type == old.type } }
    return held.flatMap { held in rows(for: held, since: old.first { $0.type == held.type }) }
      + gone.map { [StyledText($0.type, .dim), StyledText("-", .clean), "gone"] }
  }

  private static func rows(for held: HeldType, since old: HeldType?) -> [[StyledText]] {
    let before = old?.holders ?? []
    let kept = held.holders.map { holder -> (StyledText, StyledText) in
      let isNew = !before.contains(holder)
      let mark = isNew ? StyledText("← +", .emphasis) : "←"
      return (mark, StyledText("\(holder)", isNew ? .emphasis : nil))
    }
    let lost = before.filter { !held.holders.contains($0) }.map {
      (StyledText("  -", .dim), StyledText("\($0), released", .dim))
    }
    return (kept + lost).enumerated().map { index, line in
      [index == 0 ? StyledText(held.type) : "", line.0, line.1]
    }
  }
}
