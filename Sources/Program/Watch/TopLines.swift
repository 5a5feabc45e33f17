package import MemlabHeapModel
package import MemlabTerminalText

/// What a process keeps, as text: a table of tasks and one of classes.
package struct TopLines {
  private let dump: HeapDump
  private let totals: HeapTotals
  private let rows: Int
  private let frames: Int
  private let growth: GrowthRate?

  /// The text for a dump.
  ///
  /// - Parameters:
  ///   - first: an earlier dump; with it, how many more of each class there are a minute.
  ///   - rows: how many rows each table has at most.
  ///   - frames: how many functions of each row of tasks are shown.
  package init(of dump: HeapDump, since first: HeapDump? = nil, rows: Int = 20, frames: Int = 2) {
    (self.dump, self.rows, self.frames) = (dump, rows, frames)
    growth = first.map { GrowthRate(from: $0, to: dump) }
    totals = HeapTotals(of: dump)
  }

  /// The lines, of at most this width.
  package func lines(width: Int) -> [StyledText] {
    (DumpSummary(dump).lines + [""] + taskLines + [""] + thingLines).map {
      $0.truncated(to: width)
    }
  }

  private var taskLines: [StyledText] {
    guard !totals.tasks.isEmpty else { return ["no unfinished tasks"] }
    var table = Table(columns: [.number(), .text()])
    table.add(["tasks", "where they wait"], style: .dim)
    var owner = HeapDump.TaskGroup.Owner.program
    for row in totals.tasks.prefix(rows) {
      if row.owner != owner { table.add(["", StyledText("\(row.owner.heading):")], style: .dim) }
      owner = row.owner
      table.add(["\(row.count)", StyledText(row.sentence)])
      for frame in row.group.frames.prefix(frames) {
        let place = frame.location.map { "   \($0)" } ?? ""
        table.add(["", StyledText("  at \(frame.function)\(place)", .dim)])
      }
    }
    return table.lines() + more(totals.tasks.count)
  }

  private var thingLines: [StyledText] {
    let isGrowthShown = growth != nil
    var table = Table(
      columns: [.number()] + (isGrowthShown ? [.number()] : []) + [.number(), .text(), .text()])
    table.add(
      ["live"] + (isGrowthShown ? ["a minute"] : []) + ["bytes", "what", "mostly held by"],
      style: .dim)
    for row in totals.things.prefix(rows) {
      let change = growth.map { [StyledText($0.text(of: row.title, count: row.count))] } ?? []
      table.add(
        ["\(row.count)"] + change + [
          "\(row.bytes)", StyledText(row.title.truncated(to: 48)), StyledText(row.heldBy),
        ])
    }
    return table.lines() + more(totals.things.count)
  }

  private func more(_ count: Int) -> [StyledText] {
    count > rows ? [StyledText("… and \(count - rows) more", .dim)] : []
  }
}

extension HeapDump.TaskGroup.Owner {
  fileprivate var heading: String {
    switch self {
    case .program: "in the program"
    case .dependency: "in packages that the program depends on"
    case .library: "in Swift's libraries, or in functions without a name"
    }
  }
}

extension HeapTotals.TaskRow {
  /// Where they wait, and what they do besides.
  package var sentence: String {
    let states = [
      running > 0 ? "\(running) running" : nil,
      enqueued > 0 ? "\(enqueued) waiting for a turn" : nil,
      children > 0 ? counted(children, "child", many: "children") : nil,
    ].compactMap { $0 }
    return group.sentence + (states.isEmpty ? "" : " (\(states.joined(separator: ", ")))")
  }
}

private func counted(_ count: Int, _ one: String, many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}

/// What is said of a dump as a whole.
package struct DumpSummary {
  private let dump: HeapDump

  /// About a dump.
  package init(_ dump: HeapDump) { self.dump = dump }

  /// How many bytes the blocks have.
  private var live: Int { dump.blocks.bytes }

  /// The lines.
  package var lines: [StyledText] {
    let facts = dump.facts
    var lines = [
      StyledText("\(facts.program), process \(facts.process)", .emphasis)
        + StyledText(": \(counted(dump.blocks.count, "block")), \(live) bytes; ")
        + StyledText(counted(dump.tasks.count, "unfinished task"))
    ]
    if let memory { lines.append(StyledText(memory, .dim)) }
    return lines + doubts
  }

  /// By how much the counts may be off, and what cannot be told.
  var doubts: [StyledText] {
    let count = dump.facts.blocksInFlight
    let flight =
      count == 0
      ? [] : ["\(counted(count, "block")) of these were made while the process was copied"]
    return (flight + dump.facts.losses).map { StyledText($0, .dim) }
  }

  private var memory: String? {
    let (resident, allocator) = (Int(dump.facts.residentBytes), Int(dump.facts.allocatorBytes))
    guard resident > 0, allocator > 0 else { return nil }
    let (free, other) = (max(0, allocator - live), max(0, resident - max(allocator, live)))
    return "resident \(megabytes(resident)): live blocks \(megabytes(live)), "
      + "free in the allocator \(megabytes(free)), other \(megabytes(other))"
  }
}

/// A number of bytes in megabytes of a million, with one place.
private func megabytes(_ bytes: Int) -> String {
  decimal(Double(bytes) / 1_000_000, places: 1) + " MB"
}
