import MemlabHeapModel
import Testing

@Suite("In XCTest", .enabled(if: HeapRecording.isAvailable)) struct XCTestTests {
  @Test("a leak fails the test case, with who holds it") func failures() async throws {
    let output = try await Fixture.run("LeakCheckTests.XCTestFixtures", library: "xctest")
    let failed = output.text.matches(of: /Test Case 'XCTestFixtures\.(\w+)' failed/).map(\.1)
    #expect(failed.sorted() == ["testDeallocated", "testLeaks"], "\(output.text)")
    #expect(output.text.contains("captured → Forwarder"))
    #expect(output.text.contains("partner → Clock"))
    #expect(output.text.contains("as declared: its task holds it"))
  }
}
