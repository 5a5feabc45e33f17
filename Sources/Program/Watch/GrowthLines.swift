package import MemlabDumps
package import MemlabHeapModel
import MemlabReports
package import MemlabTerminalText

/// What a process keeps that it did not keep before, as text.
package struct GrowthLines {
  /// What has grown.
  package let growth: HeapGrowth
  private let later: HeapDump
  private let seconds: Int64

  /// Compares two dumps of one process.
  ///
  /// - Throws: `GrowthError` when they do not belong together.
  package init(from earlier: HeapDump, to later: HeapDump) throws(GrowthError) {
    self.later = later
    growth = try HeapGrowth(from: earlier, to: later)
    seconds = later.facts.time - earlier.facts.time
  }

  /// Whether anything has grown that is the program's.
  package var hasGrown: Bool { !growth.groups.isEmpty }

  /// The lines, of at most this width where names allow it.
  package func lines(width: Int) -> [StyledText] {
    let facts = later.facts
    let title = StyledText(
      "\(facts.program), process \(facts.process), after \(counted(Int(seconds), "second"))",
      .emphasis)
    guard hasGrown else { return [title + ": nothing has grown"] + rest }
    var lines = [title + ": what it keeps now, and did not keep then"]
    for group in growth.groups.prefix(10) { lines += [""] + self.lines(of: group, width) }
    let more = growth.groups.count - 10
    if more > 0 { lines += ["", StyledText("… and \(more) more", .dim)] }
    return lines + [""] + rest
  }

  /// What has grown as SARIF 2.1.0: a result for each group, at the last line on its chain.
  package var sarif: String {
    let results = growth.groups.map { group in
      let held = HeldLines(block: group.sample, of: later)
      return SARIFLog.Result(
        rule: "growth", isError: true,
        message: lines(of: group, .max).map(\.plain).joined(separator: "\n"),
        file: held.location?.path, line: held.location?.line,
        fingerprint: "\(group.title) held by \(held.way)")
    }
    let rule = (id: "growth", text: "A program keeps no more than it did before.")
    return SARIFLog(tool: "memlab diff", rules: [rule], results: results).text
  }

  private func lines(of group: HeapGrowth.Group, _ width: Int) -> [StyledText] {
    let each = group.amount.bytes / max(1, group.new)
    let cost = group.new == 1 ? "\(each) bytes" : "about \(each) bytes each"
    let title =
      StyledText("+ \(group.growth) ", .leaked) + StyledText(group.title, .emphasis)
      + StyledText(", \(cost)" + (group.gone > 0 ? " (\(group.new) new, \(group.gone) gone)" : ""))
    let others = group.parts.filter { $0.title != group.title }.prefix(4)
    let parts = others.map { "\($0.amount.blocks) \($0.title)" }.joined(separator: ", ")
    return [title] + HeldLines(block: group.sample, of: later).lines(width: width)
      + (parts.isEmpty ? [] : [StyledText("  with \(parts)", .dim)])
  }

  private var rest: [StyledText] {
    let bytes = growth.system.bytes
    let system = "the runtime and C libraries keep \(bytes) bytes more for themselves"
    return (bytes > 0 ? [StyledText(system, .dim)] : []) + DumpSummary(later).doubts
  }
}

/// Who holds a block, as text: the chain from its root, or for a task where it waits.
struct HeldLines {
  private let words: ChainInWords
  private let chain: RetainChain

  /// About a block of a dump.
  init(block: Int, of dump: HeapDump) {
    chain = dump.retainChain(to: block)
    words = dump.words(for: block, on: chain)
  }

  /// The line of the last function or closure on the chain; for a task, of the innermost that waits.
  var location: CodeLocation? {
    words.location ?? chain.root.frames.lazy.compactMap(\.location).first
  }

  /// The functions that a task waits in and the references, without lines: what stays when code moves.
  var way: String {
    let functions = [chain.root.suspendedIn ?? ""] + chain.root.frames.map(\.function)
    let references = chain.links.map { $0.name ?? $0.target.title }
    return ([chain.root.kind.rawValue] + functions + references).uniqued().joined(separator: "/")
  }

  /// The lines, of at most this width where names allow it.
  func lines(width: Int) -> [StyledText] {
    guard words.rows.isEmpty else {
      return RowLines(words: words, indent: 2, width: width, isCycle: chain.isCycleOfSeveral).lines
    }
    return [StyledText("  " + words.root)]
      + chain.root.frames.prefix(6).map { frame in
        let place = StyledText(frame.location.map { "   \($0)" } ?? "", .dim)
        return StyledText("  at \(frame.function)") + place
      }
  }
}

/// Who holds the instances of a class in a program that is watched, as text.
package enum ClassHolderLines {
  /// The lines, of at most this width where names allow it.
  package static func lines(
    _ holders: HeapHolders, of name: String, in dump: HeapDump, _ width: Int
  ) -> [StyledText] {
    let count = holders.groups.reduce(0) { $0 + $1.count }
    guard count > 0 else { return [StyledText("no \(name) is alive") + suggestion(name, dump)] }
    var lines = [StyledText("\(count) \(name)", .emphasis) + " in \(dump.facts.program)"]
    for group in holders.groups.prefix(10) {
      let chain = dump.retainChain(to: group.sample)
      let counts = chain.retainCount.map { ", retain count \($0)" } ?? ""
      let found = "  of one: \(counted(chain.referencesFound, "reference")) found\(counts)"
      lines += ["", StyledText("\(group.count) held alike, \(group.bytes) bytes")]
      lines += HeldLines(block: group.sample, of: dump).lines(width: width)
      lines.append(StyledText(found, .dim))
    }
    let more = holders.groups.count - 10
    return more > 0 ? lines + ["", StyledText("… and \(more) more ways", .dim)] : lines
  }

  private static func suggestion(_ name: String, _ dump: HeapDump) -> StyledText {
    let near = nearest(to: name, among: Set(dump.things.map(\.title)).sorted())
    return near.isEmpty ? "" : ". Did you mean \(near.map(quoted).joined(separator: ", "))?"
  }
}
