import HeapGraph
import Testing

@Suite("What is hard to name", .enabled(if: HeapRecording.isAvailable)) struct NamedTests {
  @Test("tasks that start one another are told as such, with the function that creates them")
  func successors() throws {
    let output = try Fixture.run("LeakCheckTests.NamedFixtures/successors")
    let issues = output.issues(of: "successors()")
    #expect(issues.count == 1, "\(output.text)")
    let issue = try #require(issues.first)
    #expect(issue.contains("tasks go on: each starts the next one, and ends"), "\(issue)")
    #expect(issue.contains("created in poll()"), "\(issue)")
    #expect(issue.contains("gave up waiting after 1.0 seconds"), "\(issue)")
  }
}
