import MemlabKit
import MemlabPlatform

extension Scenario {
  /// `cancellable-stop`: a cancellable owns its subscription.
  static let cancellableStop = Scenario(
    id: "cancellable-stop", title: "a cancellable owns its subscription", document: .combineMemory,
    place: "its first section", lesson: "04-combine-and-its-cancellables",
    question: "The cancellable owns the subscription. Does the timer still fire while the clock is "
      + "there?",
    hint: "An AnyCancellable does one thing when its last reference is released. What?",
    beliefs: [.global("The run loop held the timer until a moment ago.")],
    next: "cancellable-replaced", endings: [stop, cancel, discard])

  private static let stop = Ending(
    "stop", "the cancellable is set to nil, then the clock is dropped",
    expects: .stoppedClock(setBefore: 2),
    explanation: "The property held the only reference, so the AnyCancellable is deinitialised, "
      + "and its deinit cancels. The clock itself does not change.",
    claims: [endsSubscription]
  ) { lab in try play(on: lab, start: { $0.start() }, stop: ("stop() is called", { $0.stop() })) }

  private static let cancel = Ending(
    "cancel", "the cancellable is cancelled by hand, then the clock is dropped",
    expects: .stoppedClock(setBefore: 2),
    explanation: "cancel() does at once what deinit would do; the empty AnyCancellable stays.",
    claims: [endsSubscription]
  ) { lab in try play(on: lab, start: { $0.start() }, stop: ("pause() is called", { $0.pause() })) }

  private static let discard = Ending(
    "discard", "the cancellable is thrown away, then the clock is dropped",
    expects: .stoppedClock(setBefore: 0),
    explanation: "The opposite mistake: nothing holds the AnyCancellable, so the subscription "
      + "ends on the line that created it, and the time is never set.",
    claims: [endsSubscription]
  ) { lab in try play(on: lab, start: { $0.startAndForget() }, stop: nil) }

  private static let endsSubscription = Claim(
    "as soon as the cancellable is released, or cancelled by hand, its subscription is invalidated",
    original: "一旦可取消的资源被释放(或手动取消),它所绑定的订阅将自动失效"
  ) { $0.metric("setAfterStop") == 0 }

  private typealias Act = (CancellableStop.Clock) -> Void

  private static func play(on lab: Lab, start: Act, stop: (what: String, act: Act)?) throws {
    let stage = ClockStage<CancellableStop.Clock>(lab)
    try stage.create("a clock is created") { CancellableStop.Clock() }
    try stage.call(stop == nil ? "startAndForget() is called" : "start() is called", start)
    lab.ledger.setMetric("setBeforeStop", try stage.pass("two seconds pass", seconds: 2))
    if let stop { try stage.call(stop.what, stop.act) }
    lab.ledger.setMetric("setAfterStop", try stage.pass("two more seconds pass", seconds: 2))
    try stage.dropClock()
  }
}

extension Declaration {
  /// One clock that was set until it was stopped, and is gone.
  fileprivate static func stoppedClock(setBefore: Int) -> Declaration {
    .clock(
      .clean, deinitialized: 1, setAfterDrop: 0, timersRunning: 0,
      metrics: ["setBeforeStop": setBefore, "setAfterStop": 0])
  }
}

/// The clock of the document's third listing, with two methods more.
enum CancellableStop {
  // snippet:code
  class Clock: ObservableObject {
    @Published private(set) var time = Date().timeIntervalSince1970
    private var cancellable: AnyCancellable?
    private let probe = Probe(Clock.self)

    func start() {
      cancellable = Timer.publish(every: 1, on: .main, in: .default)
        .autoconnect()
        .sink { [weak self] date in
          self?.time = date.timeIntervalSince1970
        }
    }

    func stop() {
      cancellable = nil
    }

    func pause() {
      cancellable?.cancel()
    }

    func startAndForget() {
      _ = Timer.publish(every: 1, on: .main, in: .default)
        .autoconnect()
        .sink { [weak self] date in
          self?.time = date.timeIntervalSince1970
        }
    }
  }
  // snippet:end
}
