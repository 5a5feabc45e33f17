import MemlabKit
import Scenarios
import TestSupport
import Testing

@Suite("On the runtime's own pool of threads")
struct PoolTests {
  @Test("every ending measures what it declares", arguments: Catalog.scenarios)
  func catalog(scenario: Scenario) async throws {
    for ending in scenario.endings {
      let trial = try await offPool {
        try Trial(of: ending, on: PoolScheduler(deadline: .seconds(60))).run()
      }
      #expect(trial.asExpected, "\(ending.name): \(trial.differences)")
    }
  }
}
