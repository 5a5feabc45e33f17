import MemlabKit

/// A countdown. What its closure captures is under study.
protocol CountdownUnderStudy: AnyObject {
  /// How often time has passed.
  var count: Int { get }
  /// The closure that is called when time passes.
  var onTick: (() -> Void)? { get }

  /// A countdown that is not started.
  init()
  /// Stores the closure.
  func start()
  /// Releases the closure.
  func stop()
}

/// The endings of a countdown.
struct CountdownEndings<Countdown: CountdownUnderStudy>: Sendable {
  /// The endings for a countdown of this type.
  init(of countdown: Countdown.Type) {}

  /// The last variable is dropped, and nothing is done before.
  var drop: SharedEnding {
    SharedEnding("drop", "the countdown is dropped") { [self] lab in
      @Variable("countdown") var countdown: Countdown?
      try start(_countdown, lab)
      try lab.release("the countdown is dropped") { countdown = nil }
    }
  }

  /// The closure is released by hand.
  var stop: SharedEnding {
    SharedEnding("stop", "stop() is called, then the countdown is dropped") { [self] lab in
      @Variable("countdown") var countdown: Countdown?
      try start(_countdown, lab)
      try lab.step("stop() is called") { countdown?.stop() }
      try lab.release("the countdown is dropped") { countdown = nil }
    }
  }

  /// Someone else keeps the closure and calls it after the countdown was dropped.
  var borrowed: SharedEnding {
    SharedEnding("borrowed", "stop() is called, but someone else keeps the closure") {
      [self] lab in
      @Variable("countdown") var countdown: Countdown?
      try start(_countdown, lab)
      weak let watched = countdown
      @Variable("closure") var closure = countdown?.onTick
      try lab.step("stop() is called") { countdown?.stop() }
      try lab.release("the countdown is dropped") { countdown = nil }
      try lab.step("the closure is called once more") {
        closure?()
        lab.ledger.note(watched == nil ? "self was nil" : "counted")
        if let count = watched?.count { lab.ledger.setMetric("counted", count) }
      }
      try lab.release("the closure is dropped") { closure = nil }
    }
  }

  private func start(_ variable: Variable<Countdown?>, _ lab: Lab) throws {
    try lab.step("a countdown is created and started") {
      variable.wrappedValue = made(.init()) { $0.start() }
    }
    try lab.step("time passes once") {
      variable.wrappedValue?.onTick?()
      lab.ledger.note("counted")
      lab.ledger.setMetric("counted", variable.wrappedValue?.count ?? 0)
    }
  }
}
