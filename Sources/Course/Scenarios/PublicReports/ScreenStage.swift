import MemlabKit

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
      let screen = Screen()
      task = screen.watch(prices)
      self.screen = screen
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
