import MemlabKit

/// The endings of the clocks in “Memory management in Combine” that can be started.
struct ClockEndings<Clock: ObservableObject>
where Clock.ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Makes a clock.
  let make: @Sendable () -> Clock
  /// Calls its `start()`.
  let start: @Sendable (Clock) -> Void
  /// Calls its `stop()`.
  let stop: @Sendable (Clock) -> Void

  /// The owner is dropped while the timer fires.
  func drop(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "drop", "the clock is dropped while its timer runs",
      expects: expects, explanation: explanation, claims: claims
    ) { [make, start] lab in
      let stage = ClockStage<Clock>(lab)
      try stage.create("a clock is created", make)
      try stage.call("start() is called", start)
      try stage.pass("two seconds pass", seconds: 2)
      try stage.dropClock()
    }
  }

  /// The owner is stopped before it is dropped.
  func stop(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "stop", "stop() is called, then the clock is dropped",
      expects: expects, explanation: explanation, claims: claims
    ) { [make, start, stop] lab in
      let stage = ClockStage<Clock>(lab)
      try stage.create("a clock is created", make)
      try stage.call("start() is called", start)
      try stage.pass("two seconds pass", seconds: 2)
      try stage.call("stop() is called", stop)
      lab.ledger.setMetric("setAfterStop", try stage.pass("a second passes", seconds: 1))
      try stage.dropClock()
    }
  }
}

extension Declaration {
  /// The counts of one clock.
  ///
  /// - Parameters:
  ///   - deinitialized: how many clocks are deinitialised, 0 or 1.
  ///   - setAfterDrop: how often the time is set in the second after the drop.
  ///   - timersRunning: how many timers are attached to the run loop in the end.
  ///   - metrics: figures of this ending only.
  static func clock(
    _ verdict: Verdict, deinitialized: Int, setAfterDrop: Int, timersRunning: Int,
    metrics: [Metric: Int] = [:]
  ) -> Declaration {
    let figures: [Metric: Int] = ["setAfterDrop": setAfterDrop, "timersRunning": timersRunning]
    return Declaration(
      verdict, objects: [ObjectCount("Clock", created: 1, deinitialized: deinitialized)],
      metrics: figures.merging(metrics) { figure, _ in figure })
  }

  /// The counts of one clock that is deinitialised, and its timer with it.
  static let goneClock = Declaration.clock(
    .clean, deinitialized: 1, setAfterDrop: 0, timersRunning: 0)
  /// The counts of one clock whose timer ended before the clock was dropped.
  static let stoppedClock = Declaration.clock(
    .clean, deinitialized: 1, setAfterDrop: 0, timersRunning: 0, metrics: ["setAfterStop": 0])
  /// The counts of one clock that stays alive, and whose timer sets it every second.
  static let leakedClock = Declaration.clock(
    .leak, deinitialized: 0, setAfterDrop: 1, timersRunning: 1)
}
