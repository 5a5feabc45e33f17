import MemlabKit

extension Scenario {
  private static let endings = CountdownEndings(of: StoredClosure.Countdown.self)

  /// `stored-closure`: an object stores a closure that captures it.
  static let storedClosure = Scenario(
    id: "stored-closure", title: "an object stores a closure that captures it",
    document: .automaticReferenceCounting, place: "a cycle through a closure",
    lesson: "01-who-owns-whom",
    question: "There is only one class here. Can a countdown hold itself?",
    hint: "A closure that uses self needs self to be there when it is called.",
    beliefs: [
      .nobody(
        "There is one class and one object, and people look for a second one before they say cycle."
      ), .variable("The word self in the closure looks like one more variable."),
    ], next: "stored-closure-weak", fixedBy: "stored-closure-weak",
    endings: [
      endings.drop(
        expects: .one(
          .leak, ["Countdown": .field("onTick", of: "Countdown")], metrics: ["counted": 1]),
        explanation: "The countdown holds its closure in a property, and the closure uses self, "
          + "so it holds the countdown. The compiler even leaves out the object in between: a "
          + "closure that captures one reference and nothing else is stored as that reference. "
          + "The countdown holds itself."),
      endings.stop(
        expects: .one(.clean, ["Countdown": nil], metrics: ["counted": 1]),
        explanation: "stop() sets the property to nil. That releases the closure, which releases "
          + "the countdown. It works as long as nobody forgets to call it."),
      endings.borrowed(
        expects: .one(.clean, ["Countdown": nil], metrics: ["counted": 2]),
        explanation: "Someone else keeps the closure, and with it the countdown: the call after "
          + "the drop still counts. When the closure is dropped, both are deinitialised, because "
          + "stop() had cut the cycle."),
    ])
}

/// A cycle of one object.
enum StoredClosure {
  // snippet:code
  final class Countdown {
    private(set) var count = 0
    var onTick: (() -> Void)?
    private let probe = Probe(Countdown.self)

    func start() {
      onTick = { self.count += 1 }
    }

    func stop() {
      onTick = nil
    }
  }
  // snippet:end
}

extension StoredClosure.Countdown: CountdownUnderStudy {}
