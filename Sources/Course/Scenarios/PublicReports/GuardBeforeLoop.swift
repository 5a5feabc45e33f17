import MemlabKit

extension Scenario {
  private static let endings = ScreenEndings(of: GuardBeforeLoop.Screen.self)

  /// `guard-before-loop`: guard let self ahead of for await.
  static let guardBeforeLoop = Scenario(
    id: "guard-before-loop", title: "guard let self ahead of for await", document: .cmuxGuard,
    place: "its review", lesson: "08-leaks-people-had",
    question: "Now there is no method in between: the loop is in the task itself, after guard let "
      + "self. The screen is dropped. Is it deinitialised?",
    hint: "This is the second listing of “Swift AsyncStream and memory management”, with one "
      + "class and one task. How long does the guard's self live?",
    beliefs: [
      .nobody("The closure says [weak self], and the guard is the usual second line."),
      .cycle("A screen that does not go away is said to be in a retain cycle."),
    ], next: "weak-self-and-cancel", fixedBy: "weak-self-and-cancel",
    endings: [
      endings.drop(
        expects: .one(.leak, ["Screen": .task("watch")], finished: ["watch": 0]),
        explanation: "The guard's self is a strong local variable of the task's closure, and the "
          + "closure is suspended in its loop."
      )
      .claiming(
        "the strong reference is held in the async frame while the task is suspended",
        original:
          "the strong reference is held in the async frame while the task is suspended on `for "
          + "await _ in signals`"
      ) { $0.object("Screen").alive == 1 && $0.task("watch").live == 1 }
      .claiming(
        "this completely defeats the [weak self] capture",
        original: "This completely defeats the `[weak self]` capture"
      ) { $0.object("Screen").alive == 1 },
      endings.cancel(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "Cancelling ends the loop, and the local variable goes with the closure."),
      endings.finish(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "As the review says, the task releases self when the stream terminates."),
    ])
}

/// A strong local variable in front of a loop.
enum GuardBeforeLoop {
  // snippet:code
  final class Screen {
    private let probe = Probe(Screen.self)

    func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
      Task(probe: "watch") { [weak self] in
        guard let self else { return }
        for await price in prices { self.show(price) }
      }
    }

    private func show(_ price: Int) { Ledger.current?.note("shown") }
  }
  // snippet:end
}

extension GuardBeforeLoop.Screen: ScreenUnderStudy {}
