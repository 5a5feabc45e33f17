import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("On the runtime's own pool of threads")
struct PoolTests {
  @Test("every ending measures what it declares, and the same as on one thread")
  func catalog() throws {
    let pool = try MemlabBinary.run(["check", "--scheduler", "pool"])
    #expect(pool.exitCode == 0)
    let virtual = try MemlabBinary.run(["check"])
    #expect(pool.stderr == virtual.stderr)
    #expect(Self.settled(pool.stdout) == Self.settled(virtual.stdout))
  }

  /// What is printed, but for endings that depend on the order, which is the machine's on the pool.
  private static func settled(_ output: String) -> [String] {
    let free = Catalog.scenarios.flatMap { scenario in
      scenario.endings.filter { !$0.expects.inOtherOrders.isEmpty }.map { [scenario.id, $0.name] }
    }
    return output.newlineSeparated.filter { line in
      !free.contains(line.split(separator: " ").dropFirst().prefix(2).map(String.init))
    }
  }
}
