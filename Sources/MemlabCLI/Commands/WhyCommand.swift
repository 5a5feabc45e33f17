import HeapGraph

/// `memlab why PID CLASS`: who holds the instances of a class.
enum WhyCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "why",
      abstract: "Tell who holds a class's instances in a watched program.",
      discussion: """
        Those that are held alike are counted together, each with the chain of strong references from \
        its root. A snapshot's file may stand in place of the process's number.
        """,
      arguments: [
        ArgumentSpec(
          "pid", help: "The number of the program's process, or a snapshot.", values: .file),
        ArgumentSpec("class", help: "The class, with or without its module."),
      ],
      options: [.watchFormat, .color])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let source = invocation.positionals[0]
    let dump =
      try pid_t(source).map { id in try WatchedProcess(id: id).dump() }
      ?? SnapshotFile(named: source).read()
    let name = invocation.positionals[1]
    let holders = HeapHolders(of: name, in: dump)
    switch invocation.watchFormat {
    case .json: try session.output.write(WatchJSON.holders(holders, of: name, in: dump).text)
    case .text:
      let width = session.terminal(for: invocation).width
      try session.write(lines(holders, of: name, in: dump, width), for: invocation)
    }
    return .success
  }

  /// Who holds the instances of a class, as text.
  static func lines(
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
