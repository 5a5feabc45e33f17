package import MemlabHeapModel
package import MemlabTerminalText

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
      lines += ["", StyledText("\(group.count) held alike, \(group.bytes) bytes")]
      lines += HeldLines(block: group.sample, of: dump).lines(width: width)
      lines.append(
        StyledText(
          "  of one: \(counted(chain.referencesFound, "reference")) found\(counts)", .dim))
    }
    let more = holders.groups.count - 10
    return more > 0 ? lines + ["", StyledText("… and \(more) more ways", .dim)] : lines
  }

  private static func suggestion(_ name: String, _ dump: HeapDump) -> StyledText {
    let known = Set(dump.things.map(\.title)).sorted()
    let near = nearest(to: name, among: known)
    return near.isEmpty ? "" : ". Did you mean \(near.map(quoted).joined(separator: ", "))?"
  }
}
