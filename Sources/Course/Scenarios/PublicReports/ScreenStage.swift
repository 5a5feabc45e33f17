import MemlabKit

/// A screen that shows prices as long as they come.
protocol ScreenUnderStudy: AnyObject {
  /// A screen without prices.
  init()
  /// Starts a task that shows these prices.
  func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never>
}

/// A screen, the source of its prices, and the acts of its endings.
final class ScreenStage<Screen: ScreenUnderStudy> {
  private let lab: Lab
  private let prices: AsyncStream<Int>
  private let source: AsyncStream<Int>.Continuation
  @Variable("screen") private var screen: Screen?
  @Variable("task") private var task: Task<Void, Never>?

  /// A stage with a source and no screen yet.
  init(_ lab: Lab) {
    self.lab = lab
    (prices, source) = AsyncStream.makeStream()
  }

  /// Creates the screen, starts its task, and sends one price.
  func open() throws {
    try lab.step("the screen is created and watches") {
      screen = made(.init()) { task = $0.watch(prices) }
    }
    try lab.step("one price comes", until: lab.ledger.noted("shown", 1)) { source.yield(1) }
  }

  /// Cancels the task.
  func cancelTask() throws { try lab.release("the task is cancelled") { task?.cancel() } }

  /// Finishes the source's stream.
  func finishSource() throws { try lab.release("the source finishes") { source.finish() } }

  /// Drops the screen, and the task's handle with it.
  func dropScreen() throws {
    try lab.release("the screen is dropped") {
      screen = nil
      task = nil
    }
  }

  /// Sends one more price after the screen was dropped.
  func close() throws { try lab.step("one more price comes") { source.yield(2) } }
}

/// The endings of each way of watching a stream from a task.
struct ScreenEndings<Screen: ScreenUnderStudy> {
  /// The endings for a screen of this type.
  init(of screen: Screen.Type) {}

  /// The screen is dropped while prices keep coming, as in an app.
  var drop: SharedEnding {
    ending("drop", "the screen is dropped while its task waits") { [$0.dropScreen] }
  }

  /// The task is cancelled before the screen is dropped.
  var cancel: SharedEnding {
    ending("cancel", "the task is cancelled, then the screen is dropped") {
      [$0.cancelTask, $0.dropScreen]
    }
  }

  /// The source finishes.
  var finish: SharedEnding {
    ending("finish", "the source finishes its stream, then the screen is dropped") {
      [$0.finishSource, $0.dropScreen]
    }
  }

  private func ending(
    _ name: String, _ title: String,
    steps: @escaping @Sendable (ScreenStage<Screen>) -> [() throws -> Void]
  ) -> SharedEnding {
    SharedEnding(name, title, on: ScreenStage<Screen>.init) { [$0.open] + steps($0) + [$0.close] }
  }
}
