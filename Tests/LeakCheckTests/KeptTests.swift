import MemlabHeapModel
import Testing

@Suite("What a global variable keeps", .enabled(if: HeapRecording.isAvailable)) struct KeptTests {
  private static let output = Task { try await Fixture.run("LeakCheckTests.KeptFixtures") }

  private static let holders = [
    "byGlobal()": "global variable Registry.shared",
    "byClosureOfGlobal()": "global variable Handlers.all",
    "expectedToBeDeallocated()": "global variable Registry.shared",
    "waitsAsLongAsItIsTold()": "global variable Registry.shared",
    "fifty(number:)": "global variable Registry.shared",
  ]

  @Test("is reported with its holder", arguments: holders.keys.sorted())
  func reported(test: String) async throws {
    try await Self.output.value.expect(Self.holders[test], namedBy: test)
  }

  @Test("is reported soon when nothing can empty it", arguments: holders.keys.sorted())
  func soon(test: String) async throws {
    let issues = try await Self.output.value.issues(of: test)
    #expect(issues.count == (test == "fifty(number:)" ? 50 : 1))
    let patience = test == "waitsAsLongAsItIsTold()" ? 0.7 : 0.2
    let waited = try issues.map { issue in
      #expect(issue.contains("kept by a global variable; nothing that this check started is"))
      let seconds = try #require(issue.firstMatch(of: #/\(waited (\d+\.\d+) seconds\)/#)).1
      return try #require(Double(seconds))
    }
    #expect(waited.allSatisfy { $0 >= patience })
    guard test == "fifty(number:)" else { return }
    // Counted by the check's pauses. They are longer where a look takes long, and a thread that a busy
    // machine keeps from coming to rest may do some more work for all that is known.
    #expect(try #require(waited.sorted().dropFirst(waited.count / 2).first) < 1)
  }

  @Test("is waited for while anything that the check has begun may empty it") func emptied()
    async throws
  {
    let output = try await Fixture.run("LeakCheckTests.EmptiedFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 9 tests in 1 suite passed"), "\(output.text)")
  }
}
