import MemlabKit

#if canImport(Combine)
  import Combine
#else
  import Patterns
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Scenario {
  private static let endings = ClockEndings(
    make: { AssignOnSelf.Clock() }, start: { $0.start() }, stop: { $0.stop() })

  static let assignOnSelf = Scenario(
    id: "assign-on-self",
    title: "assign(to:on: self) instead of a closure",
    document: .combineMemory,
    place: "its second clock",
    lesson: "04-combine-and-its-cancellables",
    question: "No closure, so nothing can capture self. Is the clock deinitialised?",
    hint: "assign has to write into the clock at every tick. How does it find it?",
    next: "sink-weak-self",
    fixedBy: "assign-to-published",
    endings: [
      endings.drop(
        expects: .leakedClock.with(held: ["Clock": .field("state", of: "Assign")]),
        explanation: "assign(to:on:) keeps a strong reference to the object that it writes into. "
          + "The cycle is the same as before, with the subscriber in the closure's place.",
        claims: [
          Claim(
            "this still retains self, for assign holds a strong reference to each object that is "
              + "passed to it",
            original: "上述方法仍然会导致self被保留,因为assign操作符会保留对传递给它的每个对象的强引用"
          ) { $0.object("Clock").alive == 1 }
        ]),
      endings.stop(
        expects: .stoppedClock,
        explanation: "Cancelling lets go of the object that assign wrote into."),
    ])
}

/// The document's second listing.
enum AssignOnSelf {
  class Clock: ObservableObject {
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

    func stop() {
      cancellable = nil
    }
  }
}
