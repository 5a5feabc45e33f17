import Foundation
import MemlabCLI
import MemlabCourse
import MemlabFull
import TestSupport
import Testing

@Suite("memlab, and memlab-full beside it") struct FullProgramTests {
  @Test("memlab names the commands of memlab-full as they name themselves") func names() {
    let named = Commands.all.map { $0.spec(of: .memlab) }
    let full = Commands.full.map { $0.spec(of: .memlab) }
    #expect(named.map(\.name) == full.map(\.name))
    #expect(named.map(\.abstract) == full.map(\.abstract))
    #expect(Commands.measuring.count < Commands.full.count)
  }

  @Test("memlab alone runs scenarios, and says what it lacks for the rest") func alone() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "memlab")
    // By a program of its own: what another test starts meanwhile would have the copy open for writing,
    // and then it cannot be run.
    let original = MemlabBinary.folder.appending(path: "memlab").path
    _ = try Program(URL(filePath: "/bin/cp")).run([original, copy.path]).exits(0)
    _ = try Program(copy).run(["retain-cycle"]).exits(0)
    let run = try Program(copy).run(["exercise", "01"])
    #expect(run.exitCode == 70)
    #expect(
      run.stderr == """
        Error: memlab-full, which has this command, is not beside \(copy.path); build it with \
        'swift build --product memlab-full'.\n
        """)
  }
}
