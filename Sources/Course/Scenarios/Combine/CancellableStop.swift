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
    next: "cancellable-replaced",
    endings: [
      ending(
        "stop", "the cancellable is set to nil, then the clock is dropped",
        explanation: "The property held the only reference, so the AnyCancellable is "
          + "deinitialised, and its deinit cancels. The clock itself does not change.",
        stop: ("stop() is called", { $0.stop() })),
      ending(
        "cancel", "the cancellable is cancelled by hand, then the clock is dropped",
        explanation: "cancel() does at once what deinit would do; the empty AnyCancellable stays.",
        stop: ("pause() is called", { $0.pause() })),
      ending(
        "discard", "the cancellable is thrown away, then the clock is dropped",
        explanation: "The opposite mistake: nothing holds the AnyCancellable, so the subscription "
          + "ends on the line that created it, and the time is never set.", stop: nil),
    ])

  private typealias Act = @Sendable (CancellableStop.Clock) -> Void

  // Without a stop, the cancellable is thrown away, and the time is never set.
  private static func ending(
    _ name: String, _ title: String, explanation: String, stop: (what: String, act: Act)?
  ) -> Ending {
    Ending(
      name, title,
      expects: .clock(
        .clean, setAfterDrop: 0, timersRunning: 0,
        metrics: ["setBeforeStop": stop == nil ? 0 : 2, "setAfterStop": 0]),
      explanation: explanation
    ) { lab in
      let stage = try ClockStage(lab) { CancellableStop.Clock() }
      try stage.call(stop == nil ? "startAndForget() is called" : "start() is called") {
        if stop == nil { $0.startAndForget() } else { $0.start() }
      }
      lab.ledger.setMetric("setBeforeStop", try stage.pass("two seconds pass", seconds: 2))
      if let stop { try stage.call(stop.what, stop.act) }
      lab.ledger.setMetric("setAfterStop", try stage.pass("two more seconds pass", seconds: 2))
      try stage.dropClock()
    }
    .claiming(
      "as soon as the cancellable is released, or cancelled by hand, its subscription is invalidated",
      original: "一旦可取消的资源被释放(或手动取消),它所绑定的订阅将自动失效"
    ) { $0.metric("setAfterStop") == 0 }
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
