import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

// On the pool, what the runtime keeps for itself varies by more than two instances leave behind.
@Suite("Run many times over", .needsHeap, .needsVirtualTime) struct InstancesTests {
  @Test("each leak grows, and each clean ending does not", arguments: Catalog.scenarios.map(\.id))
  func catalog(id: String) throws {
    let run = try MemlabBinary.run([id, "--instances", "2"])
    #expect(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
  }

  @Test("is told of in JSON, memlab.growth/1, where that is asked for") func json() throws {
    let run = try MemlabBinary.run(["retain-cycle", "--instances", "2", "--format", "json"])
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.growth/1\",\n"))
    let document = try JSONDecoder().decode(Document.self, from: Data(run.stdout.utf8))
    #expect(document.scenario == "retain-cycle")
    #expect(document.asExpected)
    #expect(document.endings.map(\.ending) == ["drop", "cut"])
    #expect(document.endings.map(\.trend) == ["grows", "steady"])
    let drop = document.endings[0]
    #expect(drop.instances == 2)
    #expect(drop.liveBlocks.count == 6 && drop.liveBytes.count == 6)
    #expect(drop.blocksPerInstance > 0 && drop.bytesPerInstance > 0 && drop.fit > 0.9)
  }

  private struct Document: Decodable {
    struct Result: Decodable {
      let ending, trend: String
      let instances: Int
      let liveBlocks, liveBytes: [Int]
      let bytesPerInstance, blocksPerInstance, fit: Double
      let asExpected: Bool
    }
    let scenario: String
    let asExpected: Bool
    let endings: [Result]
  }
}
