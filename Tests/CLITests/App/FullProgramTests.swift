import Foundation
import MemlabCLI
import MemlabCourse
import MemlabFull
import MemlabReports
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab, and memlab-full beside it") struct FullProgramTests {
  @Test("memlab-full has every command that memlab names, and no others") func names() {
    #expect(Set(Commands.full.keys) == Set(Commands.names))
    #expect(Commands.names.count == Commands.full.count)
    #expect(Commands.measuring.count < Commands.full.count)
  }

  @Test("commands understand what their pages list") func values() throws {
    let lists = [
      ("run", "format", ReportFormat.allCases.map(\.rawValue)),
      ("check", "format", CheckFormatName.allCases.map(\.rawValue)),
      ("check", "scheduler", SchedulerName.allCases.map(\.rawValue)),
      ("check", "color", ColorChoice.allCases.map(\.rawValue)),
      ("graph", "format", GraphFormat.allCases.map(\.rawValue)),
      ("top", "format", ReportFormat.allCases.map(\.rawValue)),
    ]
    for (command, name, values) in lists {
      let spec = try #require(Commands.table(of: .memlab).command(named: command))
      #expect(spec.options.first { $0.name == name }?.values == .oneOf(values))
    }
  }

  @Test("memlab alone runs scenarios, and says what it lacks for the rest") func alone() throws {
    let copy = try Scratch.folder().appending(path: "memlab")
    // By a program of its own: what another test starts meanwhile would have the copy open for writing,
    // and then it cannot be run.
    let original = MemlabBinary.folder.appending(path: "memlab").path
    _ = try Program(URL(filePath: "/bin/cp")).run([original, copy.path]).exits(0)
    _ = try Program(copy).run(["retain-cycle"]).exits(0)
    let run = try Program(copy).run(["exercise", "01"]).exits(70)
    #expect(
      run.stderr == """
        Error: memlab-full, which has this command, is not beside \(copy.path); build it with \
        'swift build --product memlab-full'.\n
        """)
  }
}
