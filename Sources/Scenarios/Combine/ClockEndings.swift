import MemlabKit

#if canImport(Combine)
  import Combine
#else
  import Patterns
#endif

/// The endings that the startable clocks of document 003 are put through.
struct ClockEndings<Clock: ObservableObject>
where Clock.ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Makes a clock.
  let make: @Sendable () -> Clock
  /// Calls its `start()`.
  let start: @Sendable (Clock) -> Void
  /// Calls its `stop()`.
  let stop: @Sendable (Clock) -> Void

  /// The owner goes away while the timer fires.
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

  /// The owner is told to stop before it goes away.
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
  ///   - metrics: figures of the ending's own.
  static func clock(
    _ verdict: Verdict, deinitialized: Int, setAfterDrop: Int, timersRunning: Int,
    metrics: [Metric: Int] = [:]
  ) -> Declaration {
    let figures: [Metric: Int] = ["setAfterDrop": setAfterDrop, "timersRunning": timersRunning]
    return Declaration(
      verdict, objects: [ObjectCount("Clock", created: 1, deinitialized: deinitialized)],
      metrics: figures.merging(metrics) { figure, _ in figure })
  }

  /// One clock that is gone, and its timer with it.
  static let goneClock = Declaration.clock(
    .clean, deinitialized: 1, setAfterDrop: 0, timersRunning: 0)
  /// One clock whose timer ended before the clock was dropped.
  static let stoppedClock = Declaration.clock(
    .clean, deinitialized: 1, setAfterDrop: 0, timersRunning: 0, metrics: ["setAfterStop": 0])
  /// One clock that is left, and set by its timer every second.
  static let leakedClock = Declaration.clock(
    .leak, deinitialized: 0, setAfterDrop: 1, timersRunning: 1)
}
