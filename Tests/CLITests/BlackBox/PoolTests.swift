import TestSupport
import Testing

@Suite("On the runtime's own pool of threads")
struct PoolTests {
  @Test("every ending measures what it declares, and the same as on one thread")
  func catalog() throws {
    let pool = try MemlabBinary.run(["check", "--scheduler", "pool"])
    #expect(pool.exitCode == 0)
    #expect(pool == (try MemlabBinary.run(["check"])))
  }
}
