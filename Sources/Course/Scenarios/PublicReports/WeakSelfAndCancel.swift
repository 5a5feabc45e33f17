import MemlabKit

extension Scenario {
  private static let endings = ScreenEndings(of: WeakSelfAndCancel.Screen.self)

  /// `weak-self-and-cancel`: weak on each turn, cancelled in deinit.
  static let weakSelfAndCancel = Scenario(
    id: "weak-self-and-cancel", title: "weak on each turn, cancelled in deinit",
    document: .cmuxGuard, place: "its review, and a deinit", lesson: "08-leaks-people-had",
    question: "self becomes strong on each turn only, and deinit cancels the task. Does anything "
      + "stay alive?",
    hint: "The screen must be deinitialised and the task must end. Which line is for which?",
    beliefs: [
      .cycle("The screen stores its task, and the task uses the screen."),
      .task("The task still waits when the screen is dropped."),
    ], next: "task-in-owner",
    endings: [
      endings.drop(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "While the loop waits, nothing holds the screen, so it is deinitialised when "
          + "it is dropped. Its deinit cancels the task, which would otherwise wait for the next "
          + "price."
      )
      .claiming(
        "if self is held only during each iteration, the owner can be released while the task "
          + "waits for updates",
        original:
          "unwrap `self` inside the loop so it is only held strongly during the brief execution of "
          + "each iteration"
      ) { $0.object("Screen").alive == 0 },
      endings.cancel(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "The task is cancelled twice, once from outside and once by deinit. That "
          + "does no harm."),
      endings.finish(
        expects: .one(.clean, ["Screen": nil], finished: ["watch": 1]),
        explanation: "The task has already ended. deinit cancels a finished task, which does "
          + "nothing."),
    ])
}

/// A loop that holds no object while it waits, and an owner that ends it.
enum WeakSelfAndCancel {
  // snippet:code
  final class Screen {
    private var task: Task<Void, Never>?
    private let probe = Probe(Screen.self)

    func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
      let task = Task(probe: "watch") { [weak self] in
        for await price in prices { self?.show(price) }
      }
      self.task = task
      return task
    }

    private func show(_ price: Int) { Ledger.current?.note("shown") }

    deinit { task?.cancel() }
  }
  // snippet:end
}

extension WeakSelfAndCancel.Screen: ScreenUnderStudy {}
