import MemlabHeapModel
import Testing

@Suite("What was reported fails, with who holds it", .enabled(if: HeapRecording.isAvailable))
struct ReportedTests {
  private static let output = Task { try await Fixture.run("LeakCheckTests.ReportedFixtures") }

  // The library for observation keeps the closure in a box in Swift 6.2, behind its function or alone.
  #if compiler(>=6.3)
    private static let tracker = "captured → Tracker"
  #else
    private static let tracker = "→ Tracker"
  #endif

  private static let holders = [
    "droppedContinuation()": "captured → Feed",
    "guardThenLoop()": "local variable → Feed",
    "storedTask()": "captured → Feed",
    "actorInItsOwnLoop()": "→ Station",
    "unansweredRequest()": "→ Client",
    "terminationHoldsOwner()": "captured → Feed",
    "switchToLatest()": "captured → Latest",
    "timerHandler()": "captured → Ticker",
    "strongDelegate()": "delegate → Screen",
    "lazyClosure()": "captured → Screen",
    "trackingRearmed()": tracker,
  ]

  @Test("every one fails") func failures() async throws {
    #expect(try await Self.output.value.failed == Set(Self.holders.keys))
  }

  @Test("the failure names the holder", arguments: holders.keys.sorted()) func holder(
    test: String
  ) async throws {
    try await Self.output.value.expect(Self.holders[test], namedBy: test)
  }

  // libdispatch's heap of timers, a timer, what it is to do, and the block that does it.
  @Test("blocks without a name are one place on a chain") func memory() async throws {
    let issues = try await Self.output.value.issues(of: "timerHandler()")
    #expect(issues.map { $0.matches(of: #/─ memory\n/#).count } == [1], "\(issues)")
  }
}
