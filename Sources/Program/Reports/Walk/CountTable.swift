import MemlabKit
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
    let (now, then) = (moment.totals, before?.totals ?? Totals())
    let objects = report.objects.map(\.type).map { type in
      ("\(type) \(now.object(type).alive) alive", now.object(type) == then.object(type))
    }
    let tasks = report.tasks.map(\.name).map { name in
      ("task \(name) \(now.task(name).live) live", now.task(name) == then.task(name))
    }
    let all = objects + tasks
    let changed = all.filter { !$0.1 }.map { StyledText("  ◀ \($0.0)", .emphasis) }
    let same = all.filter(\.1).map(\.0)
    guard !same.isEmpty else { return changed }
    let lines = [same.joined(separator: ", "), counted(same.count, "other count")]
      .map { "  as before: \($0)" }
    return changed + [StyledText(lines.first { $0.displayWidth <= width } ?? lines[1], .dim)]
  }

  private static func lines(
    _ moment: Moment, since before: Moment?, as report: TrialReport, inSigns: Bool
  ) -> [StyledText] {
    var table = Table(columns: [.text(), .number(), .number(), .number(), .text(gutter: 3)])
    let (now, then) = (moment.totals, before?.totals ?? Totals())
    if !report.objects.isEmpty {
      table.add(["object", "created", "deinitialised", "alive"], style: .dim)
    }
    for type in report.objects.map(\.type) {
      let (new, old) = (now.object(type), then.object(type))
      let changes = [
        Change(what: inSigns ? "+" : "created ", by: new.created - old.created),
        Change(
          what: inSigns ? "-" : "deinitialised ", by: new.deinitialized - old.deinitialized),
      ]
      table.add(row(type, new.created, new.deinitialized, new.alive, changes))
    }
    if !report.tasks.isEmpty {
      table.add(["task", "started", "finished", "live"], style: .dim)
    }
    for name in report.tasks.map(\.name) {
      let (new, old) = (now.task(name), then.task(name))
      let changes = [
        Change(what: inSigns ? "+" : "started ", by: new.started - old.started),
        Change(what: inSigns ? "-" : "finished ", by: new.finished - old.finished),
      ]
      table.add(row(name, new.started, new.finished, new.live, changes))
    }
    return table.lines(indent: 2)
  }

  /// A count that has grown in this step, and by how many.
  private struct Change {
    let what: String
    let by: Int
  }

  private static func row(
    _ name: String, _ begun: Int, _ ended: Int, _ left: Int, _ changes: [Change]
  ) -> [StyledText] {
    let changed = changes.filter { $0.by > 0 }.map { "\($0.what)\($0.by)" }
    let style: Style? = changed.isEmpty ? nil : .emphasis
    let remark = changed.isEmpty ? "" : "◀ " + changed.joined(separator: ", ")
    return [
      StyledText(name, style), StyledText("\(begun)", style), StyledText("\(ended)", style),
      StyledText("\(left)", style), StyledText(remark, style),
    ]
  }
}
