import FoundationEssentials
import TestSupport
import Testing

@Suite("Virtual time", .needsVirtualTime)
struct VirtualTimeTests {
  @Test("runs everything that Swift schedules in one order, without waiting")
  func everything() throws {
    let program = Program(MemlabBinary.folder.appending(path: "VirtualTime"))
    let run = try program.run([])
    #expect(run.exitCode == 0)
    #expect(run.stderr == "")
    try Golden.check("virtual-time", run.stdout)
  }
}
