import MemlabKit
import Scenarios
import TestSupport
import Testing

@Suite("Run many times over")
struct InstancesTests {
  @Test(
    "each leak grows, and each clean ending does not", arguments: Catalog.scenarios.map(\.id))
  func catalog(id: String) throws {
    let run = try MemlabBinary.run([id, "--instances", "2"])
    #expect(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
  }
}
