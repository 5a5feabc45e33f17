import MemlabKit

extension Scenario {
  private static let endings = ScreenEndings(of: WeakSelfAndCancel.Screen.self)

  static let weakSelfAndCancel = Scenario(
    id: "weak-self-and-cancel",
    title: "weak on each turn, cancelled in deinit",
    document: .cmuxGuard,
    place: "its review, and a deinit",
    lesson: "08-leaks-people-had",
    question: "self is looked up on each turn, and deinit cancels the task. Does anything stay "
      + "behind?",
    hint: "Two things have to go, and each needs its own line. Which line is for which?",
    next: "task-in-owner",
    endings: [
      endings.drop(
        expects: .screen(.clean, screen: 1, watch: 1),
        explanation: "While the loop waits nobody holds the screen, so it goes when it is dropped. "
          + "Its deinit cancels the task, which would otherwise wait for the next price.",
        claims: [
          Claim(
            "held only during each iteration, the owner can go while the task waits for updates",
            original: "unwrap `self` inside the loop so it is only held strongly during the brief "
              + "execution of each iteration"
          ) { $0.object("Screen").alive == 0 }
        ]),
      endings.cancel(
        expects: .screen(.clean, screen: 1, watch: 1),
        explanation: "Cancelled twice, once from outside and once by deinit: that does no harm."),
      endings.finish(
        expects: .screen(.clean, screen: 1, watch: 1),
        explanation: "The task has ended by itself; deinit cancels a task that is over."),
    ])
}

/// A loop that holds nobody while it waits, and an owner that ends it.
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
