import LeakCheck
import Testing

@Suite("The event that a check waits for") struct SignalTests {
  /// Runs in a process of its own: what it looks for is a wait without end.
  @Test("a wait ends with its limit, however soon that is") func limit() async throws {
    let output = try await Fixture.run("LeakCheckTests.SignalFixtures", limit: .seconds(100))
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 2 tests in 1 suite passed"), "\(output.text)")
  }
}
