package import MemlabDumps
package import MemlabHeapModel
import MemlabTerminalText

/// What is found in a program that is watched, as JSON for other programs.
package enum WatchJSON {
  /// `memlab.top/1`: all tasks and all classes.
  package static func top(of dump: HeapDump) throws -> String {
    let totals = HeapTotals(of: dump)
    let tasks = totals.tasks.map { row -> JSONObject in
      [
        "title": row.group.title, "suspendedIn": row.group.suspendedIn, "owner": "\(row.owner)",
        "frames": row.group.frames, "count": row.count, "running": row.running,
        "enqueued": row.enqueued, "children": row.children,
      ]
    }
    let things = totals.things.map { thing -> JSONObject in
      [
        "title": thing.title, "name": thing.name, "heldBy": dump.holder(of: thing.sample),
        "live": thing.count, "bytes": thing.bytes,
      ]
    }
    return try text(["process": process(dump), "tasks": tasks, "things": things], "memlab.top/1")
  }

  /// `memlab.diff/1`: what has grown, with the chain to one of each group.
  package static func growth(
    _ growth: HeapGrowth, from earlier: HeapDump, to later: HeapDump
  ) throws -> String {
    try text(
      [
        "process": process(later), "seconds": later.facts.time - earlier.facts.time,
        "groups": growth.groups.map { group($0, in: later) },
        "tasks": growth.tasks.map(change), "classes": growth.classes.map(change),
        "system": ["blocks": growth.system.blocks, "bytes": growth.system.bytes] as JSONObject,
      ], "memlab.diff/1")
  }

  /// `memlab.why/1`: how the instances of a class are held.
  package static func holders(
    _ holders: HeapHolders, of name: String, in dump: HeapDump
  ) throws -> String {
    let groups = holders.groups.map { group -> JSONObject in
      [
        "count": group.count, "bytes": group.bytes, "heldBy": dump.holder(of: group.sample),
        "chain": dump.retainChain(to: group.sample).named,
      ]
    }
    return try text(["process": process(dump), "name": name, "groups": groups], "memlab.why/1")
  }

  private static func text(_ object: JSONObject, _ schema: String) throws -> String {
    try VersionedJSON.text(of: object, schema: schema) + "\n"
  }

  private static func process(_ dump: HeapDump) -> JSONObject {
    let facts = dump.facts
    return [
      "pid": facts.process, "program": facts.program, "time": facts.time,
      "blocks": dump.blocks.count, "bytes": dump.blocks.bytes, "unfinishedTasks": dump.tasks.count,
      "blocksInFlight": facts.blocksInFlight, "residentBytes": facts.residentBytes,
      "allocatorBytes": facts.allocatorBytes, "losses": facts.losses,
    ]
  }

  private static func group(_ group: HeapGrowth.Group, in dump: HeapDump) -> JSONObject {
    let parts = group.parts.map { part -> JSONObject in
      ["title": part.title, "blocks": part.amount.blocks, "bytes": part.amount.bytes]
    }
    return [
      "title": group.title, "heldBy": dump.holder(of: group.sample), "growth": group.growth,
      "new": group.new, "gone": group.gone, "blocks": group.amount.blocks,
      "bytes": group.amount.bytes, "parts": parts,
      "chain": dump.retainChain(to: group.sample).named,
    ]
  }

  private static func change(_ change: HeapGrowth.Change) -> JSONObject {
    ["title": change.title, "before": change.before, "after": change.after, "bytes": change.bytes]
  }
}
