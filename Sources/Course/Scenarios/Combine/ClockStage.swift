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

  /// An empty stage.
  init(_ lab: Lab) {
    self.lab = lab
    let dawn = Date(timeIntervalSinceReferenceDate: 0)
    runLoop = AppWide.keep(RunLoop(now: dawn), for: lab.ledger)
  }

  /// How many timers are attached to the run loop.
  var timers: Int { runLoop.timers }

  /// Creates the clock. The observer holds its publisher, not the clock.
  func create(_ what: String, _ make: () -> Clock) throws {
    let ledger = lab.ledger
    try act(what) {
      let clock = make()
      view = clock.objectWillChange.sink { ledger.note("time set") }
      self.clock = clock
    }
  }

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
