import MemlabKit

extension Scenario {
  private static let endings = ScreenEndings(of: WeakSelfRunForever.Screen.self)

  /// `weak-self-run-forever`: weak self, and a method without end.
  static let weakSelfRunForever = Scenario(
    id: "weak-self-run-forever", title: "weak self, and a method without end",
    document: .forumsRunForever, place: "displayWithCapture, rebuilt",
    lesson: "08-leaks-people-had",
    question: "The task captures self weakly and calls one of its methods, which loops over a "
      + "stream. The screen is dropped. Is it deinitialised?",
    hint: "The caller of a method holds the object until the method returns. When does this one "
      + "return?",
    beliefs: [
      .nobody("The closure says [weak self], and people stop reading there."),
      .cycle("A screen that does not go away is said to be in a retain cycle."),
    ], next: "guard-before-loop", fixedBy: "weak-self-and-cancel",
    endings: [
      endings.drop(
        expects: .one(.leak, ["Screen": .task("watch")], finished: ["watch": 0]),
        explanation: "self? makes a strong reference for the duration of the call, and the call "
          + "has not returned. The capture is weak, but the task's frame holds self strongly."
      )
      .claiming(
        "a task prevents deallocation when it calls an async method through a weak reference",
        original:
          "Unstructured Task prevents deallocation of @MainActor class when calling instance async "
          + "method via weak reference"
      ) { $0.object("Screen").alive == 1 && $0.task("watch").live == 1 },
      endings.cancel(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "Cancelling ends the loop, so the method returns and its caller releases "
          + "self."),
      endings.finish(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "The loop ends with its source. A method that has returned holds nothing."),
    ])
}

/// A loop in a method, called through a weak reference.
enum WeakSelfRunForever {
  // snippet:code
  final class Screen {
    private let probe = Probe(Screen.self)

    func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
      Task(probe: "watch") { [weak self] in
        await self?.run(prices)
      }
    }

    private func run(_ prices: AsyncStream<Int>) async {
      for await price in prices { show(price) }
    }

    private func show(_ price: Int) { Ledger.current?.note("shown") }
  }
  // snippet:end
}

extension WeakSelfRunForever.Screen: ScreenUnderStudy {}
