import TestSupport
import Testing

@Suite("Code of the main thread")
struct MainThreadTests {
  @Test("runs while a step waits on the pool, also when other code waits for it")
  func pool() throws {
    let run = try HardCases.run("main", "check", "--scheduler", "pool")
    #expect(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
  }

  @Test("runs in virtual time", .needsVirtualTime) func virtual() throws {
    let run = try HardCases.run("main", "check", "main-thread")
    #expect(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
  }
}
