import HeapGraph
import Testing

@Suite("What is hard to name", .enabled(if: HeapRecording.isAvailable)) struct NamedTests {
  @Test("tasks that start one another are told as such, with the function that creates them")
  func successors() async throws {
    let output = try await Fixture.run("LeakCheckTests.NamedFixtures/successors")
    let issues = output.issues(of: "successors()")
    #expect(issues.count == 1, "\(output.text)")
    let issue = try #require(issues.first)
    // Most looks at the heap find none of these tasks while they sleep; why is not known yet.
    withKnownIssue(
      "a task that sleeps for a few milliseconds is seldom found", isIntermittent: true
    ) {
      #expect(issue.contains("tasks go on: each starts the next one, and ends"), "\(issue)")
      #expect(issue.contains("created in poll()"), "\(issue)")
      #expect(issue.contains("gave up waiting after 1.0 seconds"), "\(issue)")
    }
  }
}
