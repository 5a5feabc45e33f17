import MemlabHeapModel
import Testing

@Suite("A leak that a test wants", .enabled(if: HeapRecording.isAvailable)) struct WantedTests {
  private static let output = Task { try await Fixture.run("LeakCheckTests.WantedFixtures") }

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
