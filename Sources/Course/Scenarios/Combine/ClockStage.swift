import MemlabKit
import MemlabPlatform

/// Holds everything that the clocks of “Memory management in Combine” need, and runs the steps of
/// their endings.
///
/// Timers are attached to a run loop that lives as long as the app. The stage runs it by hand, so a
/// step can end although a timer never does.
final class ClockStage<Clock: ObservableObject>
where Clock.ObjectWillChangePublisher == ObservableObjectPublisher {
  private let lab: Lab
  private let runLoop: RunLoop
  @Variable("clock") private var clock: Clock?
  @Variable("view") private var view: AnyCancellable?

  /// A stage with the clock that this makes. The observer holds its publisher, not the clock.
  init(_ lab: Lab, _ make: () -> Clock) throws {
    self.lab = lab
    let (ledger, dawn) = (lab.ledger, Date(timeIntervalSinceReferenceDate: 0))
    runLoop = AppWide.keep(RunLoop(now: dawn), for: ledger)
    try act("a clock is created") {
      clock = made(make()) { view = $0.objectWillChange.sink { ledger.note("time set") } }
    }
  }

  /// How many timers are attached to the run loop.
  var timers: Int { runLoop.timers }

  /// Calls a method of the clock.
  func call(_ what: String, _ method: (Clock) -> Void) throws {
    try act(what) { clock.map(method) }
  }

  /// Does something that may start or end a timer.
  func act(_ what: String, _ action: () -> Void) throws {
    try lab.step(what) { noteTimers { RunLoop.$main.withValue(runLoop, operation: action) } }
  }

  /// Lets time pass.
  ///
  /// - Returns: how often the clock has announced that its time changes.
  @discardableResult
  func pass(_ what: String, seconds: TimeInterval) throws -> Int {
    let before = lab.ledger.notes(of: "time set")
    try lab.step(what) { runLoop.run(until: runLoop.now + seconds) }
    return lab.ledger.notes(of: "time set") - before
  }

  /// Drops the clock, lets another second pass, and records what happened in it.
  func dropClock() throws {
    try lab.release("the clock is dropped") { noteTimers { clock = nil } }
    lab.ledger.setMetric("setAfterDrop", try pass("another second passes", seconds: 1))
    lab.ledger.setMetric("timersRunning", timers)
  }

  private func noteTimers(_ action: () -> Void) {
    let before = timers
    action()
    for _ in before..<max(before, timers) { lab.ledger.note("timer started") }
    for _ in timers..<max(before, timers) { lab.ledger.note("timer ended") }
  }
}

/// The endings of the clocks in “Memory management in Combine” that can be started.
struct ClockEndings<Clock: ObservableObject>: Sendable
where Clock.ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Makes a clock.
  let make: @Sendable () -> Clock
  /// Calls its `start()`.
  let start: @Sendable (Clock) -> Void
  /// Calls its `stop()`.
  let halt: @Sendable (Clock) -> Void

  /// The owner is dropped while the timer fires.
  var drop: SharedEnding {
    SharedEnding("drop", "the clock is dropped while its timer runs") { [self] lab in
      try started(on: lab).dropClock()
    }
  }

  /// The owner is stopped before it is dropped.
  var stop: SharedEnding {
    SharedEnding("stop", "stop() is called, then the clock is dropped") { [self] lab in
      let stage = try started(on: lab)
      try stage.call("stop() is called", halt)
      lab.ledger.setMetric("setAfterStop", try stage.pass("a second passes", seconds: 1))
      try stage.dropClock()
    }
  }

  private func started(on lab: Lab) throws -> ClockStage<Clock> {
    let stage = try ClockStage(lab, make)
    try stage.call("start() is called", start)
    try stage.pass("two seconds pass", seconds: 2)
    return stage
  }
}

extension Declaration {
  /// The counts of one clock.
  ///
  /// - Parameters:
  ///   - holder: who holds the clock in the end; nil where it is deinitialised.
  ///   - setAfterDrop: how often the time is set in the second after the drop.
  ///   - timersRunning: how many timers are attached to the run loop in the end.
  ///   - metrics: figures of this ending only.
  static func clock(
    _ verdict: Verdict, heldBy holder: DeclaredHolder? = nil, setAfterDrop: Int,
    timersRunning: Int, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    let figures: [Metric: Int] = ["setAfterDrop": setAfterDrop, "timersRunning": timersRunning]
    return .one(
      verdict, ["Clock": holder], metrics: figures.merging(metrics) { figure, _ in figure })
  }

  /// The counts of one clock that is deinitialised, and its timer with it.
  static let goneClock = clock(.clean, setAfterDrop: 0, timersRunning: 0)
  /// The counts of one clock whose timer ended before the clock was dropped.
  static let stoppedClock = clock(
    .clean, setAfterDrop: 0, timersRunning: 0, metrics: ["setAfterStop": 0])
  /// The counts of one clock that a subscriber of this type holds, and whose timer sets it every
  /// second.
  static func leakedClock(heldBy type: String) -> Declaration {
    clock(.leak, heldBy: .field("state", of: type), setAfterDrop: 1, timersRunning: 1)
  }
}
