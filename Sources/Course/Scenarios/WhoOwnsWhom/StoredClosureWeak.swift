import MemlabKit

extension Scenario {
  private static let endings = CountdownEndings(of: StoredClosureWeak.Countdown.self)

  /// `stored-closure-weak`: a stored closure with a weak self.
  static let storedClosureWeak = Scenario(
    id: "stored-closure-weak", title: "a stored closure with a weak self",
    document: .automaticReferenceCounting, place: "a capture list", lesson: "01-who-owns-whom",
    question: "The closure refers to the countdown weakly. Is the countdown deinitialised?",
    hint: "What is a weak reference when its object is deinitialised?",
    beliefs: [.cycle("The object stores the closure, and the closure uses the object.")],
    next: "strong-self",
    endings: [
      endings.drop(
        expects: .one(.clean, ["Countdown": nil], metrics: ["counted": 1]),
        explanation:
          "The closure has only a weak reference to the countdown. Only the variable holds the "
          + "countdown. Without it, the countdown is deinitialised, and its closure with it."),
      endings.stop(
        expects: .one(.clean, ["Countdown": nil], metrics: ["counted": 1]),
        explanation: "There is no cycle to cut. stop() only removes a closure that is not needed "
          + "any more."),
      endings.borrowed(
        expects: .one(.clean, ["Countdown": nil], metrics: ["counted": 1]),
        explanation: "Someone else keeps the closure, and the countdown is deinitialised all the "
          + "same. The last call finds that self is nil, and counts nothing."
      )
      .asking(
        "Someone else keeps the closure, and calls it after the countdown was dropped. What "
          + "happens?"),
    ])
}

/// The closure refers to its owner, but does not hold it.
enum StoredClosureWeak {
  // snippet:code
  final class Countdown {
    private(set) var count = 0
    var onTick: (() -> Void)?
    private let probe = Probe(Countdown.self)

    func start() {
      onTick = { [weak self] in self?.count += 1 }
    }

    func stop() {
      onTick = nil
    }
  }
  // snippet:end
}

extension StoredClosureWeak.Countdown: CountdownUnderStudy {}
