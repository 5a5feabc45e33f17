import MemlabCLI
import MemlabDumps
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab snapshot PID NAME`: writes what a program keeps to a file.
enum SnapshotCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "snapshot", abstract: "Write what a watched program keeps to a file.",
      discussion: """
        The program goes on: its heap is read in a copy of the process. 'memlab diff' compares two such \
        files. Other formats are for other viewers: heapsnapshot for the Memory tab of Chrome's \
        DevTools, pprof for 'go tool pprof', folded for flame graphs of who holds what.
        """,
      arguments: [
        .process,
        ArgumentSpec("name", help: "The file, to which an ending is added.", values: .file),
      ],
      options: [
        .option(
          "format", help: "What the file is for.", values: .cases(of: SnapshotFormat.self),
          default: SnapshotFormat.memlab.rawValue)
      ])
  }

  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let format = invocation.choice("format", as: SnapshotFormat.self) ?? .memlab
    let dump = try WatchedProcess(id: try invocation.process()).dump()
    let file = SnapshotFile(named: invocation.positionals[1], ending: format.ending)
    try file.write(try format.bytes(of: dump))
    for line in DumpSummary(dump).lines { try session.errors.write(line.plain + "\n") }
    try session.output.write(file.path.shown() + "\n")
    return .success
  }
}

/// What a snapshot's file is for.
enum SnapshotFormat: String, CaseIterable, Sendable {
  /// Memlab itself.
  case memlab
  /// A program that reads JSON.
  case json
  /// The Memory tab of Chrome's DevTools.
  case heapsnapshot
  /// `go tool pprof`.
  case pprof
  /// Flame graphs, a line for each way.
  case folded

  /// What the file's name ends with.
  var ending: String { self == .pprof ? "pb" : rawValue }

  /// The file.
  func bytes(of dump: HeapDump) throws -> ContiguousArray<UInt8> {
    switch self {
    case .memlab: dump.bytes
    case .json: try WatchJSON.top(of: dump).bytes
    case .heapsnapshot: HeapSnapshotFormat.bytes(of: dump)
    case .pprof: PprofFormat.bytes(of: dump)
    case .folded: ContiguousArray(FoldedFormat.text(of: dump).utf8)
    }
  }
}

extension ArgumentSpec {
  /// The number of a process that is watched.
  static let process = ArgumentSpec(
    "pid", help: "The number of the program's process.", values: .integer(1...Int(Int32.max)))
}

extension OptionSpec {
  /// Text or JSON.
  static let watchFormat = option(
    "format", help: "How the result is written.", values: .cases(of: WatchFormat.self),
    default: WatchFormat.text.rawValue)
}

/// How what was found is written.
enum WatchFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// For programs.
  case json
}

extension Invocation {
  /// The process that the first argument names.
  func process() throws(UsageError) -> pid_t {
    guard let id = pid_t(positionals[0]) else {
      throw usageError("\(quoted(positionals[0])) is no number of a process.")
    }
    return id
  }

  /// How the result is written.
  var watchFormat: WatchFormat { choice("format", as: WatchFormat.self) ?? .text }
}
