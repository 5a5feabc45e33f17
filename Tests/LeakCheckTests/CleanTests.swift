import Testing

@Suite("What does not leak passes") struct CleanTests {
  @Test("every time, all at once") func clean() async throws {
    try await expectPassed(42, of: "CleanFixtures")
  }

  @Test("also when only a thread knows who is to be resumed")
  func threads() async throws {
    try await expectPassed(6, of: "ThreadFixtures")
  }

  @Test("also when the machine has other things to do") func busy() async throws {
    try await expectPassed(2, of: "BusyFixtures")
  }

  @Test("a clean check costs less than a millisecond beyond its body, and is soon over")
  func cost() async throws {
    try await expectPassed(4, of: "CostFixtures")
  }

  private func expectPassed(
    _ count: Int, of suite: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await Fixture.run("LeakCheckTests.\(suite)")
    let isWhole = output.text.contains("with \(count) tests in 1 suite passed")
    #expect(output.exitCode == 0, "\(output.text)", sourceLocation: sourceLocation)
    #expect(isWhole, "\(output.text)", sourceLocation: sourceLocation)
  }
}
