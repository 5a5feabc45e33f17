import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = ClockEndings(
    make: { AssignOnSelf.Clock() }, start: { $0.start() }, halt: { $0.stop() })

  /// `assign-on-self`: assign(to:on: self) instead of a closure.
  static let assignOnSelf = Scenario(
    id: "assign-on-self", title: "assign(to:on: self) instead of a closure",
    document: .combineMemory, place: "its second clock", lesson: "04-combine-and-its-cancellables",
    question: "No closure, so nothing can capture self. Is the clock deinitialised?",
    hint: "assign sets a property of the clock at every tick. What kind of reference does it need?",
    beliefs: [.nobody("There is no closure, so there is nothing that could capture self.")],
    next: "sink-weak-self", fixedBy: "assign-to-published",
    endings: [
      endings.drop(
        expects: .leakedClock(heldBy: "Assign"),
        explanation: "assign(to:on:) keeps a strong reference to the object whose property it "
          + "sets. The cycle is the same as before, with the subscriber in place of the closure."
      )
      .claiming(
        "this still retains self, because assign holds a strong reference to each object that is "
          + "passed to it",
        original: "上述方法仍然会导致self被保留,因为assign操作符会保留对传递给它的每个对象的强引用"
      ) { $0.object("Clock").alive == 1 },
      endings.stop(
        expects: .stoppedClock,
        explanation: "Cancelling releases the object that assign wrote to."),
    ])
}

/// The document's second listing.
enum AssignOnSelf {
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
      .assign(to: \.time, on: self)
    }
    // snippet:end

    /// Ends the timer's subscription.
    func stop() { cancellable = nil }
  }
}
