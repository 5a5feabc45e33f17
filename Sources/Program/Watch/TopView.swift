import MemlabDumps
import MemlabHeapModel
package import MemlabTerminalText

/// `memlab top` on a terminal.
package struct TopView {
  private let process: WatchedProcess
  private let seconds: Int
  private let output: Output
  private let usesColor: Bool

  /// A view of a process.
  ///
  /// - Parameters:
  ///   - seconds: the time between two looks at the heap.
  ///   - output: the terminal.
  ///   - usesColor: whether the terminal shows colours.
  package init(_ process: WatchedProcess, every seconds: Int, on output: Output, usesColor: Bool) {
    (self.process, self.seconds) = (process, seconds)
    (self.output, self.usesColor) = (output, usesColor)
  }

  private enum Page: Equatable {
    case table, growth
    case holders(of: String)
  }

  /// Shows it until somebody leaves, or the process ends.
  package func run() throws {
    let first = try process.dump()
    let terminal = try RawTerminal(output: output)
    defer { terminal.leave() }
    var (latest, page, remark, files) = (first, Page.table, "", 0)
    while true {
      try draw(page, latest, since: first, remark)
      remark = ""
      switch terminal.letter(within: seconds * 1000) {
      case "q": return
      case "d":
        // What has grown takes a second look.
        if page != .growth { latest = try process.dump() }
        page = page == .growth ? .table : .growth
      case "t": page = .table
      case "w":
        let name = try terminal.line(after: "class: ")
        page = name.flatMap { $0.isEmpty ? nil : .holders(of: $0) } ?? .table
      case "s":
        // An earlier session's file stays.
        var file: SnapshotFile
        repeat {
          files += 1
          file = SnapshotFile(named: "\(process.id)-\(files)")
        } while file.exists
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

  private func lines(
    of page: Page, _ dump: HeapDump, since first: HeapDump, _ size: (columns: Int, rows: Int)
  ) throws -> [StyledText] {
    switch page {
    case .growth: return try GrowthLines(from: first, to: dump).lines(width: size.columns)
    case .holders(let name):
      let holders = HeapHolders(of: name, in: dump)
      return ClassHolderLines.lines(holders, of: name, in: dump, size.columns)
    case .table:
      let (rows, frames) = (max(4, (size.rows - 10) / 2), size.rows < 50 ? 0 : 1)
      return TopLines(of: dump, since: first, rows: rows, frames: frames).lines(width: size.columns)
    }
  }

  private func draw(
    _ page: Page, _ dump: HeapDump, since first: HeapDump, _ remark: String
  ) throws {
    let size = RawTerminal.size(of: output, fallback: 80)
    let lines = try lines(of: page, dump, since: first, size).prefix(size.rows - 2)
    let keys = StyledText("d growth  w why alive  t table  s snapshot  q quit  \(remark)", .dim)
    let text = (lines + ["", keys]).map {
      $0.truncated(to: size.columns).rendered(color: usesColor)
    }
    try output.write(control: RawTerminal.clear + text.joined(separator: "\r\n"))
  }
}
