import HeapGraph

/// `memlab top` on a terminal.
struct TopView {
  private let process: WatchedProcess
  private let seconds: Int
  private let output: Output
  private let usesColor: Bool

  /// A view of a process.
  ///
  /// - Parameter seconds: the time between two looks at the heap.
  init(_ process: WatchedProcess, every seconds: Int, in session: Session, usesColor: Bool) {
    (self.process, self.seconds) = (process, seconds)
    (output, self.usesColor) = (session.output, usesColor)
  }

  /// Shows it until somebody leaves, or the process ends.
  func run() throws {
    let first = try process.dump()
    let terminal = try RawTerminal(output: output)
    defer { terminal.leave() }
    var (latest, showsGrowth, remark, files) = (first, false, "", 0)
    while true {
      try draw(latest, since: showsGrowth ? first : nil, remark)
      remark = ""
      switch terminal.letter(within: seconds * 1000) {
      case "q": return
      case "d": showsGrowth.toggle()
      case "s":
        files += 1
        let file = SnapshotFile(named: "\(process.id)-\(files)")
        do {
          try file.write(latest.bytes)
          remark = "written to \(file.path)"
        } catch {
          remark = "\(error)"
        }
      case "": latest = try process.dump()
      default: break
      }
    }
  }

  private func draw(_ dump: HeapDump, since first: HeapDump?, _ remark: String) throws {
    let size = RawTerminal.size(of: output, fallback: 80)
    var lines =
      try first.map { try GrowthLines(from: $0, to: dump).lines(width: size.columns) }
      ?? TopLines(of: dump, rows: max(4, (size.rows - 10) / 2), frames: size.rows < 50 ? 0 : 1)
      .lines(width: size.columns)
    lines = Array(lines.prefix(size.rows - 2))
    let keys = StyledText("d growth since the start  s snapshot  q quit  \(remark)", .dim)
    let text = (lines + ["", keys]).map {
      $0.truncated(to: size.columns).rendered(color: usesColor)
    }
    try output.write(RawTerminal.clear + text.joined(separator: "\r\n"))
  }
}
