import LeakCheck
import TestSupport
import Testing

@Suite("What does not leak passes") struct CleanTests {
  @Test("every time, all at once") func clean() async throws {
    try await Fixture.run("CleanFixtures").expectPassed(42)
  }

  @Test("also when only a thread knows who is to be resumed") func threads() async throws {
    try await Fixture.run("ThreadFixtures").expectPassed(7)
  }

  @Test("also when what works for them is older", arguments: ["Later": 1, "Older": 3])
  func later(suite: String, tests: Int) async throws {
    try await Fixture.run(suite + "Fixtures").expectPassed(tests)
  }

  @Test("also when a timer fires again and again whenever the heap is read")
  func timers() async throws { try await Fixture.run("TimerFixtures").expectPassed(1) }

  @Test("also when the machine has other things to do") func busy() async throws {
    try await Fixture.run("BusyFixtures").expectPassed(2)
  }

  @Test("a clean check costs less than a millisecond beyond its body, and is soon over")
  func cost() async throws { try await Fixture.run("CostFixtures").expectPassed(4) }
}

@Suite("The event that a check waits for") struct SignalTests {
  /// Runs in a process of its own: what it looks for is a wait without end.
  @Test("a wait ends with its limit, however soon that is") func limit() async throws {
    try await Fixture.run("SignalFixtures", limit: .seconds(100)).expectPassed(2)
  }
}

@Suite("Two hundred tests at the same time", .needsHeap) struct CrowdTests {
  @Test("the ten that leak fail, each with its own task, and no other does")
  func crowd() async throws {
    let output = try await Fixture.run("CrowdFixtures")
    let issues = output.issues(of: "crowd(number:)")
    let members = issues.flatMap { $0.matches(of: /task "member (\d+)", suspended/).map(\.1) }
    #expect(Set(members.compactMap { Int($0) }) == Set((0..<10).map { $0 * 20 + 7 }))
    #expect(issues.count == 20)
    for issue in issues {
      let named = Set(issue.matches(of: /member (\d+)/).map(\.1))
      #expect(Array(named) == issue.matches(of: /number → (\d+)/).map(\.1), "\(issue)")
    }
    output.expect("Test crowd(number:) with 200 test cases failed")
  }
}

@Suite("Many mixed tests at the same time", .needsHeap) struct MixedTests {
  // `LEAKCHECK_CROWDS=100` for a hundred runs.
  private static let runs = Int(Fixture.variable("LEAKCHECK_CROWDS") ?? "") ?? 1

  @Test("those that leak fail, and no other does", arguments: 1...runs)
  func mixed(run: Int) async throws {
    let output = try await Fixture.run("MixedFixtures")
    let issues = output.issues(of: "mixed(number:)")
    let numbers = Set(issues.flatMap { $0.matches(of: /number → (\d+)/).compactMap { Int($0.1) } })
    #expect(numbers == Set(stride(from: 7, to: MixedFixtures.count, by: 10)), "\(output.text)")
    for issue in issues where issue.contains("Guest is still alive") {
      let number = issue.firstMatch(of: /number → (\d+)/).flatMap { Int($0.1) } ?? 0
      let holder = ["House.rooms", "countedByTimer", "task \"guest\""][number / 10 % 3]
      #expect(issue.contains(holder), "\(issue)")
    }
  }
}
