import MemlabKit

/// A screen that shows prices as long as they come.
protocol ScreenUnderStudy: AnyObject {
  /// A screen without prices.
  init()
  /// Starts a task that shows these prices.
  func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never>
}

/// The endings of each way of watching a stream from a task.
struct ScreenEndings<Screen: ScreenUnderStudy> {
  /// The endings for a screen of this type.
  init(of screen: Screen.Type) {}

  /// The screen is dropped while prices keep coming, as in an app.
  func drop(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "drop", "the screen is dropped while its task waits",
      expects: expects, explanation: explanation, claims: claims
    ) { lab in
      let stage = ScreenStage<Screen>(lab)
      try stage.open()
      try stage.dropScreen()
      try stage.close()
    }
  }

  /// The task is cancelled before the screen is dropped.
  func cancel(expects: Declaration, explanation: String) -> Ending {
    Ending(
      "cancel", "the task is cancelled, then the screen is dropped",
      expects: expects, explanation: explanation
    ) { lab in
      let stage = ScreenStage<Screen>(lab)
      try stage.open()
      try stage.cancelTask()
      try stage.dropScreen()
      try stage.close()
    }
  }

  /// The source finishes.
  func finish(expects: Declaration, explanation: String) -> Ending {
    Ending(
      "finish", "the source finishes its stream, then the screen is dropped",
      expects: expects, explanation: explanation
    ) { lab in
      let stage = ScreenStage<Screen>(lab)
      try stage.open()
      try stage.finishSource()
      try stage.dropScreen()
      try stage.close()
    }
  }
}

extension Declaration {
  /// The counts of one screen and the task that watches prices for it.
  ///
  /// - Parameters:
  ///   - screen: how many screens are deinitialised, 0 or 1.
  ///   - watch: how many tasks have finished, 0 or 1.
  ///   - held: who holds a screen that is not deinitialised.
  static func screen(
    _ verdict: Verdict, screen: Int, watch: Int, held: DeclaredHolder? = nil
  ) -> Declaration {
    Declaration(
      verdict, objects: [ObjectCount("Screen", created: 1, deinitialized: screen)],
      tasks: [TaskCount("watch", started: 1, finished: watch)],
      held: ["Screen": held].compactMapValues(\.self))
  }
}
