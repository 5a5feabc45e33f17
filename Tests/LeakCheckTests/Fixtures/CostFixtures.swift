import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// What a check costs beyond its body, on average, in the processor time of all threads: other
/// processes do not add to it.
@Suite("Cost", .enabled(if: Fixture.isOn), .serialized) struct CostFixtures {
  @Test func cleanCheck() async {
    let rounds = 2000
    let bare = await processorTime(rounds) { await Self.body { $0 } }
    let checked = await processorTime(rounds) {
      await expectNoLeaks { await Self.body { watch($0) } }
    }
    print("cost:", (checked - bare) / rounds)
    #expect(checked - bare < .milliseconds(1) * rounds)
  }

  // Each object goes in the long pause after some looks at the heap. A check that notices it at once
  // takes no further look. The middle one of five: where the machine is busy, an object may go late,
  // and meet the next look.
  @Test func endsSoonAfterItsObjects() async {
    var furtherLooks: [Int] = []
    for _ in 0..<5 {
      let looksAtEnd = Mutex(0)
      await expectNoLeaks {
        let clock = watch(Clock())
        let looks = HeapReadTurn.count
        Thread.detachNewThread {
          while HeapReadTurn.count < looks + 4 { usleep(1000) }
          usleep(20_000)
          looksAtEnd.withLock { $0 = HeapReadTurn.count }
          clock.time = 1
        }
      }
      furtherLooks.append(HeapReadTurn.count - looksAtEnd.withLock(\.self))
    }
    #expect(furtherLooks.sorted()[furtherLooks.count / 2] == 0, "\(furtherLooks)")
  }

  // A check that reads the heap keeps the others waiting.
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
    let time = await processorTime(1) {
      await expectNoLeaks { [UInt8](repeating: 0, count: 20_000_000) }
    }
    #expect(time < .seconds(1))
  }

  private static func body(_ handOver: (Forwarder) -> Forwarder) async {
    let forwarder = handOver(Forwarder())
    forwarder.start()
    forwarder.stop()
    await forwarder.end()
  }

  private func processorTime(_ rounds: Int, _ body: () async -> Void) async -> Duration {
    let start = clock()
    for _ in 0..<rounds { await body() }
    return .seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }
}
