import MemlabHeapModel
import Testing

@Suite("Two hundred mixed tests at the same time", .enabled(if: HeapRecording.isAvailable))
struct MixedTests {
  // `LEAKCHECK_CROWDS=100` for a hundred runs.
  private static let runs = Int(Fixture.variable("LEAKCHECK_CROWDS") ?? "") ?? 1

  @Test("the twenty that leak fail, and no other does", arguments: 1...runs)
  func mixed(run: Int) async throws {
    let output = try await Fixture.run("LeakCheckTests.MixedFixtures")
    let issues = output.issues(of: "mixed(number:)")
    let numbers = Set(issues.flatMap { $0.matches(of: /number → (\d+)/).compactMap { Int($0.1) } })
    #expect(numbers == Set((0..<20).map { $0 * 10 + 7 }), "\(output.text)")
    for issue in issues where issue.contains("Guest is still alive") {
      let number = issue.firstMatch(of: /number → (\d+)/).flatMap { Int($0.1) } ?? 0
      let holder = ["House.rooms", "countedByTimer", "task \"guest\""][number / 10 % 3]
      #expect(issue.contains(holder), "\(issue)")
    }
  }
}
