import MemlabKit
import MemlabPlatform

extension Scenario {
  /// `assign-to-published`: a pipeline that ends in $time.
  static let assignToPublished = Scenario(
    id: "assign-to-published", title: "a pipeline that ends in $time", document: .combineMemory,
    place: "its fourth clock", lesson: "04-combine-and-its-cancellables",
    question: "There is no cancellable any more. Who ends the subscription, and when?",
    hint: "The pipeline ends in $time and not in the clock. Who else can hold $time?",
    beliefs: [.cycle("The pipeline begins and ends in the same object.")],
    next: "cancellable-stop", endings: [drop, watched, again])

  private static let drop = Ending(
    "drop", "the clock is dropped while its timer runs", expects: .goneClock,
    explanation: "The published property owns the subscription, the clock owns the property, and "
      + "the subscriber refers to the property weakly. There is no cycle, and no cancellable to "
      + "store."
  ) { lab in
    let stage = try ClockStage(lab) { AssignToPublished.Clock() }
    try stage.pass("two seconds pass", seconds: 2)
    try stage.dropClock()
  }
  .claiming(
    "Combine manages our subscription by the lifetime of our time property",
    original: "Combine现在将根据我们的时间属性的生命周期自动管理我们的订阅"
  ) { $0.metric("timersRunning") == 0 }
  .claiming("we still avoid any reference cycle", original: "这意味着我们仍然避免了任何引用周期") {
    $0.object("Clock").alive == 0
  }

  private static let watched = Ending(
    "watched", "the clock is dropped while a label is subscribed to $time",
    expects: .clock(.clean, setAfterDrop: 1, timersRunning: 0, metrics: ["timersWithoutClock": 1]),
    explanation: "What matters is the lifetime of the property's publisher. A subscription to "
      + "$time holds that publisher, so the timer of a deinitialised clock runs until the label "
      + "cancels its subscription."
  ) { lab in
    let stage = try ClockStage(lab) { AssignToPublished.Clock() }
    @Variable("label") var label: AnyCancellable?
    try stage.call("a label subscribes to $time") { clock in label = clock.$time.sink { _ in } }
    try stage.pass("two seconds pass", seconds: 2)
    try stage.dropClock()
    lab.ledger.setMetric("timersWithoutClock", stage.timers)
    try stage.act("the label cancels") { label?.cancel() }
    lab.ledger.setMetric("timersRunning", stage.timers)
  }

  private static let again = Ending(
    "again", "the pipeline is set up twice, then the clock is dropped",
    expects: .one(
      .clean, ["StartedClock": nil],
      metrics: ["setAfterDrop": 0, "setInOneSecond": 2, "timersBeforeDrop": 2, "timersRunning": 0]),
    explanation: "Each call of start() subscribes once more, and no subscription can be cancelled "
      + "while the clock is alive."
  ) { lab in
    let stage = try ClockStage(lab) { AssignToPublished.StartedClock() }
    try stage.call("start() is called twice") { clock in
      clock.start()
      clock.start()
    }
    lab.ledger.setMetric("setInOneSecond", try stage.pass("a second passes", seconds: 1))
    lab.ledger.setMetric("timersBeforeDrop", stage.timers)
    try stage.dropClock()
  }
  .claiming("otherwise we may end up with duplicate subscriptions", original: "否则我们可能会以重复订阅结束") {
    $0.metric("setInOneSecond") == 2
  }
  .claiming(
    "nothing cancellable is returned, so there is no way to cancel such a subscription",
    original: "这种方法并没有给我们任何可取消的返回——这意味着我们没有任何方法来取消这样的订阅"
  ) { $0.metric("timersBeforeDrop") == 2 && $0.metric("timersRunning") == 0 }
}

/// The document's fourth listing, and the mistake that it warns about.
enum AssignToPublished {
  // snippet:code
  class Clock: ObservableObject {
    @Published private(set) var time = Date().timeIntervalSince1970
    private let probe = Probe(Clock.self)

    init() {
      Timer.publish(
        every: 1,
        on: .main,
        in: .default
      )
      .autoconnect()
      .map(\.timeIntervalSince1970)
      .assign(to: &$time)
    }
  }
  // snippet:end

  // snippet:started
  class StartedClock: ObservableObject {
    @Published private(set) var time = Date().timeIntervalSince1970
    private let probe = Probe(StartedClock.self)

    func start() {
      Timer.publish(every: 1, on: .main, in: .default)
        .autoconnect()
        .map(\.timeIntervalSince1970)
        .assign(to: &$time)
    }
  }
  // snippet:end
}
