import MemlabCLI
import MemlabDumps
import MemlabHeapModel
import MemlabTerminalText
import MemlabWatch

/// `memlab snapshot PID NAME`: writes what a program keeps to a file.
enum SnapshotCommand: Command {
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
    case .json: ContiguousArray(try WatchJSON.top(of: dump).utf8)
    case .heapsnapshot: HeapSnapshotFormat.bytes(of: dump)
    case .pprof: PprofFormat.bytes(of: dump)
    case .folded: ContiguousArray(FoldedFormat.text(of: dump).utf8)
    }
  }
}

extension Invocation {
  /// The process that the first argument names.
  func process() throws(UsageError) -> pid_t {
    guard let id = pid_t(positionals[0]) else {
      throw usageError("\(quoted(positionals[0])) is no number of a process.")
    }
    return id
  }
}
