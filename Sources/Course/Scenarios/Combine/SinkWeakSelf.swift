import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = ClockEndings(
    make: { SinkWeakSelf.Clock() }, start: { $0.start() }, halt: { $0.stop() })

  /// `sink-weak-self`: a sink captures self weakly.
  static let sinkWeakSelf = Scenario(
    id: "sink-weak-self", title: "a sink captures self weakly", document: .combineMemory,
    place: "its third clock", lesson: "04-combine-and-its-cancellables",
    question: "The sink holds the clock weakly. What ends the timer?",
    hint: "What happens to the stored properties of an object that is deinitialised?",
    beliefs: [
      .cycle("The clock holds the cancellable, and the sink uses the clock."),
      .global("The run loop holds the timer."),
    ], next: "assign-to-published",
    endings: [
      endings.drop(
        expects: .goneClock,
        explanation: "Nothing holds the clock, so it is deinitialised. Its cancellable is "
          + "released, and that cancels the subscription. weak breaks the cycle, but it is the "
          + "cancellable that stops the timer."
      )
      .claiming(
        "each clock instance can be deallocated once no other object refers to it",
        original: "一旦不再被任何其他对象引用,每个时钟实例就可以被重新分配"
      ) { $0.object("Clock").alive == 0 }
      .claiming(
        "the AnyCancellable is deallocated too, and the pipeline is torn down properly",
        original: "这反过来又会导致AnyCancellable也被重新分配,而我们的Combine管道也将被适当地解散"
      ) { $0.metric("timersRunning") == 0 },
      endings.stop(
        expects: .stoppedClock,
        explanation: "stop() cancels. Then the drop has nothing left to cancel."),
    ])
}

/// The document's third listing.
enum SinkWeakSelf {
  /// A clock that a timer sets.
  class Clock: ObservableObject {
    /// The time that it shows, in seconds since 1970.
    @Published private(set) var time = Date().timeIntervalSince1970
    private var cancellable: AnyCancellable?
    private let probe = Probe(Clock.self)

    // snippet:code
    func start() {
      cancellable = Timer.publish(
        every: 1,
        on: .main,
        in: .default
      )
      .autoconnect()
      .map(\.timeIntervalSince1970)
      .sink { [weak self] time in
        self?.time = time
      }
    }
    // snippet:end

    /// Ends the timer's subscription.
    func stop() { cancellable = nil }
  }
}
