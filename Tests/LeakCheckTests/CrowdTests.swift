import MemlabHeapModel
import Testing

@Suite("Two hundred tests at the same time", .enabled(if: HeapRecording.isAvailable))
struct CrowdTests {
  @Test("the ten that leak fail, each with its own task, and no other does") func crowd()
    async throws
  {
    let output = try await Fixture.run("LeakCheckTests.CrowdFixtures")
    let issues = output.issues(of: "crowd(number:)")
    let members = issues.flatMap { $0.matches(of: /task "member (\d+)", suspended/).map(\.1) }
    let numbers = Set(members.compactMap { Int($0) })
    #expect(numbers == Set((0..<10).map { $0 * 20 + 7 }))
    #expect(issues.count == 20)
    for issue in issues {
      let named = Set(issue.matches(of: /member (\d+)/).map(\.1))
      let blamed = issue.matches(of: /number → (\d+)/).map(\.1)
      #expect(Array(named) == blamed, "\(issue)")
    }
    #expect(output.text.contains("Test crowd(number:) with 200 test cases failed"))
  }
}
