import Testing

@Suite("What does not leak passes") struct CleanTests {
  @Test("every time, all at once") func clean() throws {
    let output = try Fixture.run("LeakCheckTests.CleanFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 42 tests in 1 suite passed"), "\(output.text)")
  }

  @Test("also when only a thread knows who is to be resumed")
  func threads() throws {
    let output = try Fixture.run("LeakCheckTests.ThreadFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 4 tests in 1 suite passed"), "\(output.text)")
  }

  @Test("also when the machine has other things to do") func busy() throws {
    let output = try Fixture.run("LeakCheckTests.BusyFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 2 tests in 1 suite passed"), "\(output.text)")
  }

  @Test("a clean check costs less than a millisecond beyond its body, and is soon over")
  func cost() throws {
    let output = try Fixture.run("LeakCheckTests.CostFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 4 tests in 1 suite passed"), "\(output.text)")
  }
}
