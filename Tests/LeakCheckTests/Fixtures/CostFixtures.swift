import LeakCheck
import Testing

/// What a check costs beyond its body, on average.
@Suite("Cost", .enabled(if: Fixture.isOn)) struct CostFixtures {
  @Test func cleanCheck() async {
    let rounds = 2000
    let bare = await time(rounds) { await Self.body { $0 } }
    let checked = await time(rounds) {
      await expectNoLeaks { await Self.body { watch($0) } }
    }
    print("cost:", (checked - bare) / rounds)
    #expect(checked - bare < .milliseconds(1) * rounds)
  }

  private static func body(_ handOver: (Forwarder) -> Forwarder) async {
    let forwarder = handOver(Forwarder())
    forwarder.start()
    forwarder.stop()
    await forwarder.end()
  }

  private func time(_ rounds: Int, _ body: () async -> Void) async -> Duration {
    await ContinuousClock().measure { for _ in 0..<rounds { await body() } }
  }
}
