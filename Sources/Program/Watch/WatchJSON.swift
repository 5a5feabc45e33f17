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
    return try WatchJSON(
      Top(
        process: Process(dump), tasks: totals.tasks.map(Task.init),
        things: totals.things.map {
          Thing(
            title: $0.title, name: $0.name, live: $0.count, bytes: $0.bytes, heldBy: $0.heldBy)
        }), schema: "memlab.top/1")
  }

  /// `memlab.diff/1`: what has grown, with the chain to one of each group.
  package static func growth(
    _ growth: HeapGrowth, from earlier: HeapDump, to later: HeapDump
  ) throws -> WatchJSON {
    try WatchJSON(
      Growth(
        process: Process(later), seconds: later.facts.time - earlier.facts.time,
        groups: growth.groups.map { group in
          GrowthGroup(
            title: group.title, growth: group.growth, new: group.new, gone: group.gone,
            blocks: group.amount.blocks, bytes: group.amount.bytes,
            parts: group.parts.map {
              Part(title: $0.title, blocks: $0.amount.blocks, bytes: $0.amount.bytes)
            }, heldBy: later.holder(of: group.sample),
            chain: later.retainChain(to: group.sample).named)
        },
        tasks: growth.tasks.map(Change.init), classes: growth.classes.map(Change.init),
        system: Amount(blocks: growth.system.blocks, bytes: growth.system.bytes)),
      schema: "memlab.diff/1")
  }

  /// `memlab.why/1`: how the instances of a class are held.
  package static func holders(
    _ holders: HeapHolders, of name: String, in dump: HeapDump
  ) throws -> WatchJSON {
    try WatchJSON(
      Why(
        process: Process(dump), name: name,
        groups: holders.groups.map {
          WhyGroup(
            count: $0.count, bytes: $0.bytes, heldBy: dump.holder(of: $0.sample),
            chain: dump.retainChain(to: $0.sample).named)
        }), schema: "memlab.why/1")
  }

  private struct Process: Encodable {
    let pid: Int32
    let program: String
    let time: Int64
    let blocks: Int
    let bytes: Int
    let unfinishedTasks: Int
    let blocksInFlight: Int
    let residentBytes: UInt64
    let allocatorBytes: UInt64
    let losses: [String]

    init(_ dump: HeapDump) {
      let facts = dump.facts
      (pid, program, time) = (facts.process, facts.program, facts.time)
      (blocks, unfinishedTasks) = (dump.blocks.count, dump.tasks.count)
      bytes = dump.blocks.bytes
      (blocksInFlight, losses) = (facts.blocksInFlight, facts.losses)
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
    let title: String
    let name: String
    let live: Int
    let bytes: Int
    let heldBy: String
  }

  private struct Growth: Encodable {
    let process: Process
    let seconds: Int64
    let groups: [GrowthGroup]
    let tasks: [Change]
    let classes: [Change]
    let system: Amount
  }

  private struct GrowthGroup: Encodable {
    let title: String
    let growth, new, gone, blocks, bytes: Int
    let parts: [Part]
    let heldBy: String
    let chain: RetainChain
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
