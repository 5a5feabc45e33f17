import Dispatch
import Foundation
import LeakCheck
import Synchronization
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

  // Each goes in the long pause that follows some looks at the heap. The middle one of several: other
  // processes disturb some.
  @Test func endsSoonAfterItsObjects() async {
    var delays: [Duration] = []
    for _ in 0..<5 {
      let end = Mutex(ContinuousClock.now)
      await expectNoLeaks {
        let clock = watch(Clock())
        let looks = HeapReadTurn.count
        Thread.detachNewThread {
          while HeapReadTurn.count < looks + 4 { usleep(1000) }
          usleep(20_000)
          end.withLock { $0 = .now }
          clock.time = 1
        }
      }
      delays.append(end.withLock { .now - $0 })
    }
    #expect(delays.sorted()[delays.count / 2] < .milliseconds(60), "\(delays)")
  }

  // Whoever reads the heap keeps the others waiting.
  @Test func readsNoHeapForWhatEndsAtOnce() async {
    let looks = HeapReadTurn.count
    for _ in 0..<40 {
      await expectNoLeaks {
        let clock = watch(Clock())
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(4)) { clock.time = 1 }
      }
    }
    #expect(HeapReadTurn.count - looks < 20)
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
