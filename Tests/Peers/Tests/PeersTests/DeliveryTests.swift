import TestSupport
import Testing

@Suite("The delivery benchmark") struct DeliveryTests {
  private static let names = [
    "AsyncBroadcastStream", "share()", "share(.unbounded)", "PassthroughSubject, Patterns",
    "PassthroughSubject, OpenCombine",
  ]

  @Test("delivers every value to every consumer, and says how fast") func quick() throws {
    let run = try Peer.deliveryBench.run(["--quick"])
    #expect(run.exitCode == 0, "\(run.stderr)")
    let lines = run.stdout.split(separator: "\n").suffix(Self.names.count)
    for (name, line) in zip(Self.names, lines) {
      #expect(line.hasPrefix(name))
      let figures = line.dropFirst(name.count).split(separator: " ").filter { $0 != "0" }
      #expect(figures.count == 6, "\(line)")
    }
  }

  @Test("refuses what it does not know") func unknown() throws {
    let run = try Peer.deliveryBench.run(["--slow"])
    #expect(run.exitCode == 64)
    #expect(run.stderr == "Error: '--slow' is not understood; the only option is '--quick'\n")
  }
}
