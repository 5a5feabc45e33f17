import MemlabRuntimeABI
import TestSupport
import Testing

@Suite("What a global variable keeps", .needsHeap, .beginning("KeptFixtures")) struct KeptTests {
  private static let output = Fixture.run(of: "KeptFixtures")

  private static let holders = [
    "byGlobal()": "global variable Registry.shared",
    "byClosureOfGlobal()": "global variable Handlers.all",
    "besideACancelledItem()": "global variable Registry.shared",
    "expectedToBeDeallocated()": "global variable Registry.shared",
    "waitsAsLongAsItIsTold()": "global variable Registry.shared",
    "crowd(number:)": "global variable Registry.shared",
  ]

  @Test("is reported with its holder", arguments: holders.keys.sorted())
  func reported(test: String) async throws {
    try await Self.output.value.expect(Self.holders[test], namedBy: test)
  }

  @Test("is reported soon when nothing can empty it", arguments: holders.keys.sorted())
  func soon(test: String) async throws {
    let issues = try await Self.output.value.issues(of: test)
    #expect(issues.count == (test == "crowd(number:)" ? KeptFixtures.crowdSize : 1))
    let patience = test == "waitsAsLongAsItIsTold()" ? 0.7 : 0.2
    let waited = try issues.map { issue in
      #expect(issue.contains("kept by a global variable; nothing that this check started is"))
      let seconds = try #require(issue.firstMatch(of: #/\(waited (\d+\.\d+) seconds\)/#)).1
      return try #require(Double(seconds))
    }
    #expect(waited.allSatisfy { $0 >= patience })
    guard test == "crowd(number:)" else { return }
    // Counted by the check's pauses. They are longer where a look takes long, and a thread that a busy
    // machine keeps from coming to rest may do some more work for all that is known.
    #expect(try #require(waited.sorted().dropFirst(waited.count / 2).first) < 1)
  }

  // Swift Testing names its tasks since 6.3.
  @Test("is reported soon beside another test's task", .disabled(if: RuntimeColumn.isBefore63))
  func beside() async throws {
    let issues = try await Fixture.run("BesideFixtures").issues(of: "aTask(spins:)")
    #expect(issues.map { $0.contains("is still running (waited 0.") } == [true], "\(issues)")
  }

  @Test("is waited for while anything that the check has begun may empty it")
  func emptied() async throws { try await Fixture.run("EmptiedFixtures").expectPassed(10) }
}

@Suite("A leak that a test wants", .needsHeap, .beginning("WantedFixtures")) struct WantedTests {
  private static let output = Fixture.run(of: "WantedFixtures")

  @Test("passes when it is there, and fails when it is gone, moved or not alone")
  func verdicts() async throws {
    let output = try await Self.output.value
    #expect(output.failed == ["gone()", "moved()", "notAlone()"], "\(output.text)")
  }

  @Test("says what is gone") func gone() async throws {
    let issues = try await Self.output.value.issues(of: "gone()")
    #expect(issues.count == 2)
    #expect(
      issues.contains { $0.contains("task \"forwarder\" was expected not to finish, but has") })
    #expect(issues.contains { $0.contains("Forwarder was expected to be held by forwarder, but") })
  }

  @Test("says who holds it now") func moved() async throws {
    let issues = try await Self.output.value.issues(of: "moved()")
    #expect(issues.count == 1)
    let text = "Clock is still alive, but not held by Registry.shared, as was expected"
    #expect(issues.contains { $0.contains(text) && $0.contains("partner → Clock") }, "\(issues)")
  }

  @Test("says what else leaks") func notAlone() async throws {
    let issues = try await Self.output.value.issues(of: "notAlone()")
    #expect(issues.count == 1)
    #expect(issues.contains { $0.contains("Forwarder is still alive") })
  }
}

@Suite("In XCTest", .needsHeap) struct XCTestTests {
  @Test("a leak fails the test case, with who holds it") func failures() async throws {
    let output = try await Fixture.run("XCTestFixtures", library: "xctest")
    let failed = output.text.matches(of: /Test Case 'XCTestFixtures\.(\w+)' failed/).map(\.1)
    #expect(failed.sorted() == ["testDeallocated", "testGlobal", "testLeaks"], "\(output.text)")
    output.expect("captured → Forwarder", "partner → Clock", "as declared: its task holds it")
    output.expect("nothing that this check started is still running (waited 0.")
  }
}
