package import MemlabKit
package import MemlabTerminalText

/// The counts of a trial as tables: objects, tasks, the scenario's own figures; and what a leak
/// costs.
package enum CountLines {
  /// The tables; the words beside the counts are left out where there is no room for them.
  static func lines(for trial: TrialReport, width: Int) -> [StyledText] {
    var counts = countTable(for: trial, withRemarks: true).lines(indent: 4)
    if width < 80, counts.contains(where: { $0.width > width }) {
      counts = countTable(for: trial, withRemarks: false).lines(indent: 4)
    }
    let metrics = metrics(for: trial)
    return counts + (counts.isEmpty || metrics.isEmpty ? [] : [""]) + metrics
  }

  /// The scenario's own figures alone.
  package static func metrics(for trial: TrialReport) -> [StyledText] {
    guard !trial.metrics.isEmpty else { return [] }
    var table = Table(columns: [.text(), .number()])
    table.add(["figure", "value"], style: .dim)
    for (name, value) in trial.metrics.sorted(by: { $0.key < $1.key }) {
      table.add([StyledText(name.rawValue), StyledText("\(value)")])
    }
    return table.lines(indent: 4)
  }

  /// What the survivors and the unfinished tasks cost; not the same in debug and release.
  static func cost(of trial: TrialReport) -> [StyledText] {
    guard let blocks = trial.heap?.leakedBlocks, let bytes = trial.heap?.leakedBytes, blocks > 0
    else { return [] }
    return [StyledText("    the leak costs \(counted(blocks, "block")) of memory, \(bytes) bytes")]
  }

  private static func countTable(for trial: TrialReport, withRemarks: Bool) -> Table {
    var table = Table(columns: [.text(), .number(), .number(), .number(), .text(gutter: 3)])
    func add(_ heads: [StyledText], _ rows: [(String, Int, Int, Int)], ifLeft remark: String) {
      if !rows.isEmpty { table.add(heads, style: .dim) }
      for (name, begun, ended, left) in rows {
        let alive = StyledText("\(left)", left > 0 ? .leaked : nil)
        let remark = StyledText(left > 0 && withRemarks ? remark : "", .leaked)
        table.add([StyledText(name), "\(begun)", "\(ended)", alive, remark])
      }
    }
    let objects = trial.objects.map { ($0.type, $0.created, $0.deinitialized, $0.alive) }
    add(["object", "created", "deinitialised", "alive"], objects, ifLeft: "leaked")
    let tasks = trial.tasks.map { ($0.name, $0.started, $0.finished, $0.live) }
    add(["task", "started", "finished", "live"], tasks, ifLeft: "never finishes")
    return table
  }
}
