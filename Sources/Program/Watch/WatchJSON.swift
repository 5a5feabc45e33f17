package import MemlabDumps
package import MemlabHeapModel
import MemlabTerminalText

/// What is found in a program that is watched, as JSON for other programs.
package struct WatchJSON {
  /// The JSON, with a line break at its end.
  package let text: String

  /// The same as bytes.
  package var bytes: ContiguousArray<UInt8> { ContiguousArray(text.utf8) }

  private init(_ value: some Encodable, schema: String) throws {
    text = try VersionedJSON.text(of: value, schema: schema) + "\n"
  }

  /// `memlab.top/1`: all tasks and all classes.
  package static func top(of dump: HeapDump) throws -> WatchJSON {
    let totals = HeapTotals(of: dump)
    let things = totals.things.map {
      Thing(title: $0.title, name: $0.name, heldBy: $0.heldBy, live: $0.count, bytes: $0.bytes)
    }
    let top = Top(process: Process(dump), tasks: totals.tasks.map(Task.init), things: things)
    return try WatchJSON(top, schema: "memlab.top/1")
  }

  /// `memlab.diff/1`: what has grown, with the chain to one of each group.
  package static func growth(
    _ growth: HeapGrowth, from earlier: HeapDump, to later: HeapDump
  ) throws -> WatchJSON {
    try WatchJSON(Growth(growth, from: earlier, to: later), schema: "memlab.diff/1")
  }

  /// `memlab.why/1`: how the instances of a class are held.
  package static func holders(
    _ holders: HeapHolders, of name: String, in dump: HeapDump
  ) throws -> WatchJSON {
    let groups = holders.groups.map {
      WhyGroup(
        count: $0.count, bytes: $0.bytes, heldBy: dump.holder(of: $0.sample),
        chain: dump.retainChain(to: $0.sample).named)
    }
    return try WatchJSON(
      Why(process: Process(dump), name: name, groups: groups), schema: "memlab.why/1")
  }

  private struct Process: Encodable {
    let pid: Int32
    let program: String
    let time: Int64
    let blocks, bytes, unfinishedTasks, blocksInFlight: Int
    let residentBytes, allocatorBytes: UInt64
    let losses: [String]

    init(_ dump: HeapDump) {
      let facts = dump.facts
      (pid, program, time, losses) = (facts.process, facts.program, facts.time, facts.losses)
      (blocks, bytes) = (dump.blocks.count, dump.blocks.bytes)
      (unfinishedTasks, blocksInFlight) = (dump.tasks.count, facts.blocksInFlight)
      (residentBytes, allocatorBytes) = (facts.residentBytes, facts.allocatorBytes)
    }
  }

  private struct Top: Encodable {
    let process: Process
    let tasks: [Task]
    let things: [Thing]
  }

  private struct Task: Encodable {
    let title: String
    let suspendedIn: String?
    let owner: String
    let frames: [HeapFrame]
    let count, running, enqueued, children: Int

    init(_ row: HeapTotals.TaskRow) {
      (title, suspendedIn) = (row.group.title, row.group.suspendedIn)
      (owner, frames) = ("\(row.owner)", row.group.frames)
      (count, running) = (row.count, row.running)
      (enqueued, children) = (row.enqueued, row.children)
    }
  }

  private struct Thing: Encodable {
    let title, name, heldBy: String
    let live, bytes: Int
  }

  private struct Growth: Encodable {
    let process: Process
    let seconds: Int64
    let groups: [GrowthGroup]
    let tasks, classes: [Change]
    let system: Amount

    init(_ growth: HeapGrowth, from earlier: HeapDump, to later: HeapDump) {
      (process, seconds) = (Process(later), later.facts.time - earlier.facts.time)
      groups = growth.groups.map { GrowthGroup($0, in: later) }
      (tasks, classes) = (growth.tasks.map(Change.init), growth.classes.map(Change.init))
      system = Amount(blocks: growth.system.blocks, bytes: growth.system.bytes)
    }
  }

  private struct GrowthGroup: Encodable {
    let title, heldBy: String
    let growth, new, gone, blocks, bytes: Int
    let parts: [Part]
    let chain: RetainChain

    init(_ group: HeapGrowth.Group, in dump: HeapDump) {
      (title, heldBy) = (group.title, dump.holder(of: group.sample))
      (growth, new, gone) = (group.growth, group.new, group.gone)
      (blocks, bytes) = (group.amount.blocks, group.amount.bytes)
      parts = group.parts.map {
        Part(title: $0.title, blocks: $0.amount.blocks, bytes: $0.amount.bytes)
      }
      chain = dump.retainChain(to: group.sample).named
    }
  }

  private struct Part: Encodable {
    let title: String
    let blocks, bytes: Int
  }

  private struct Amount: Encodable {
    let blocks, bytes: Int
  }

  private struct Change: Encodable {
    let title: String
    let before, after, bytes: Int

    init(_ change: HeapGrowth.Change) {
      title = change.title
      (before, after, bytes) = (change.before, change.after, change.bytes)
    }
  }

  private struct Why: Encodable {
    let process: Process
    let name: String
    let groups: [WhyGroup]
  }

  private struct WhyGroup: Encodable {
    let count, bytes: Int
    let heldBy: String
    let chain: RetainChain
  }
}
