package import MemlabDumps
package import MemlabHeapModel
package import MemlabTerminalText

/// What a process keeps, as text: a table of tasks and one of classes.
package struct TopLines {
  private let dump: HeapDump
  private let totals: HeapTotals
  private let rows, frames: Int
  private let growth: GrowthRate?

  /// The text for a dump.
  ///
  /// - Parameters:
  ///   - first: an earlier dump; with it, how many more of each class there are a minute.
  ///   - rows: how many rows each table has at most.
  ///   - frames: how many functions of each row of tasks are shown.
  package init(of dump: HeapDump, since first: HeapDump? = nil, rows: Int = 20, frames: Int = 2) {
    (self.dump, self.rows, self.frames, totals) = (dump, rows, frames, HeapTotals(of: dump))
    growth = first.map { GrowthRate(from: $0, to: dump) }
  }

  /// The lines, of at most this width.
  package func lines(width: Int) -> [StyledText] {
    (DumpSummary(dump).lines + [""] + taskLines + [""] + thingLines).map { $0.truncated(to: width) }
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
    let (isGrowthShown, number) = (growth != nil, [Table.Column.number()])
    var table = Table(
      columns: number + (isGrowthShown ? number : []) + number + [.text(), .text()])
    let heads: [StyledText] = ["live"] + (isGrowthShown ? ["a minute"] : []) + ["bytes", "what"]
    table.add(heads + ["mostly held by"], style: .dim)
    for row in totals.things.prefix(rows) {
      let change = growth.map { [StyledText($0.text(of: row.title, count: row.count))] } ?? []
      let what = [StyledText(row.title.truncated(to: 48)), StyledText(dump.holder(of: row.sample))]
      table.add(["\(row.count)"] + change + ["\(row.bytes)"] + what)
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
      children > 0 ? "\(children) \(children == 1 ? "child" : "children")" : nil,
    ].compactMap { $0 }
    return group.sentence + (states.isEmpty ? "" : " (\(states.joined(separator: ", ")))")
  }
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
    let flight = "\(counted(count, "block")) of these were made while the process was copied"
    return ((count == 0 ? [] : [flight]) + dump.facts.losses).map { StyledText($0, .dim) }
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

/// How many more of each class there are a minute.
package struct GrowthRate {
  private let before: [String: Int]
  private let seconds: Int64

  /// Between two dumps of a process.
  package init(from first: HeapDump, to last: HeapDump) {
    var counts = [Int](repeating: 0, count: first.things.count)
    for thing in first.blocks.things { counts[Int(thing)] += 1 }
    before = Dictionary(zip(first.things.map(\.title), counts), uniquingKeysWith: +)
    seconds = last.facts.time - first.facts.time
  }

  /// What is said of a class: `+120`, `-0.5`, `+0.017`, and nothing where the number is as before or no
  /// time has passed.
  ///
  /// - Parameters:
  ///   - title: as ``HeapTotals/ThingRow/title`` has it.
  ///   - count: how many there are now.
  package func text(of title: String, count: Int) -> String {
    let change = count - before[title, default: 0]
    guard seconds > 0, change != 0 else { return "" }
    let rate = Double(abs(change)) * 60 / Double(seconds)
    let places = rate < 0.1 ? 3 : rate < 10 ? 1 : 0
    return (change < 0 ? "-" : "+") + decimal(max(rate, 0.001), places: places)
  }
}
