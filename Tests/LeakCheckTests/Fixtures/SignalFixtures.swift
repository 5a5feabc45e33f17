import LeakCheck
import Testing

/// Waits for what does not happen, and for what happens at any moment, many times.
@Suite("Signal", .enabled(if: Fixture.isOn)) struct SignalFixtures {
  // The limit is over before the wait has begun, or just as it begins.
  @Test(arguments: [Duration.zero, .microseconds(1), .microseconds(20)]) func never(
    limit: Duration
  ) async {
    let signal = Signal()
    for _ in 0..<5_000 { await signal.wait(atMost: limit) }
    #expect(!signal.isRaised)
  }

  @Test func anyMoment() async {
    for _ in 0..<2_000 {
      let signal = Signal()
      Task.detached { signal.raise() }
      await signal.wait(atMost: .seconds(600))
      #expect(signal.isRaised)
    }
  }
}
