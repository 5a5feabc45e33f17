import Dispatch
import LeakCheck
import Testing

/// What a check costs beyond its body, on average.
@Suite("Cost", .enabled(if: Fixture.isOn), .serialized) struct CostFixtures {
  @Test func cleanCheck() async {
    let rounds = 2000
    let bare = await time(rounds) { await Self.body { $0 } }
    let checked = await time(rounds) {
      await expectNoLeaks { await Self.body { watch($0) } }
    }
    print("cost:", (checked - bare) / rounds)
    #expect(checked - bare < .milliseconds(1) * rounds)
  }

  // The third of seven: other processes disturb some, and some may end just before a look at the heap.
  @Test func endsSoonAfterItsObjects() async {
    var delays: [Duration] = []
    for time in stride(from: 230, through: 290, by: 10) {
      let duration = await self.time(1) {
        await expectNoLeaks {
          let clock = watch(Clock())
          let end = DispatchTime.now() + .milliseconds(time)
          DispatchQueue.global().asyncAfter(deadline: end) { clock.time = 1 }
        }
      }
      delays.append(duration - .milliseconds(time))
    }
    #expect(delays.sorted()[2] < .milliseconds(50), "\(delays)")
  }

  // Whoever reads the heap keeps the others waiting.
  @Test func readsNoHeapForWhatEndsAtOnce() async {
    let looks = HeapReading.count
    for _ in 0..<40 {
      await expectNoLeaks {
        let clock = watch(Clock())
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(4)) { clock.time = 1 }
      }
    }
    #expect(HeapReading.count - looks < 20)
  }

  @Test func looksAtNoNumbers() async {
    let duration = await time(1) {
      await expectNoLeaks { [UInt8](repeating: 0, count: 20_000_000) }
    }
    #expect(duration < .seconds(1))
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
