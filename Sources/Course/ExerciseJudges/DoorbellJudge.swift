package import MemlabKit

/// What the judge needs of a doorbell.
package protocol DoorbellUnderStudy: AnyObject, Sendable {
  /// A bell without visitors.
  init()
  /// Returns when the bell rings the next time.
  func wait() async
  /// Rings: the waiting visitor goes on.
  func ring()
}

/// Exercise 08: a bell, and one visitor at a time.
package final class DoorbellJudge<Bell: DoorbellUnderStudy>: JudgeStage, Judge {
  private var bell: Bell? = Bell()
  private var otherBell: Bell?
  private var (leftEarly, stillWaiting) = (0, 0)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("ring") { [$0.comeAndRing] }
    ending("cancel") { [$0.comeAndCancel] }
    ending("early") { [$0.comeEarly] }
    // Code that resumes a visitor but keeps its continuation resumes it again here, and traps.
    ending("rung", visitors: 2) { [$0.comeAndCancel, $0.ring, $0.comeEarly, $0.ring] }
    ending("again", visitors: 3) { [$0.comeAndRing, $0.comeAndCancel, $0.comeAndRing] }
    // Code in which the bell and the visitor have a continuation each resumes it twice here.
    ending("moment", visitors: 2) { [$0.ringAndCancel, $0.cancelAndRing] }
    // A ring that is kept for later, as a stream would, lets the next visitor through at once.
    ending("before") { [$0.ring, $0.comeAndRing] }
    // A continuation that all bells share is resumed by the wrong one.
    ending("doors", bells: 2, visitors: 4) { [$0.playAtTwoDoors] }
    // Code that looks whether its task is cancelled only before it stores the continuation.
    Ending("threads", ["Doorbell": 1], figures: ["overlooked": 0], on: DoorbellJudge.init) {
      [$0.race, $0.drop]
    }
  }

  private static func ending(
    _ name: String, bells: Int = 1, visitors: Int = 1, steps: @escaping Steps<DoorbellJudge>
  ) -> Ending {
    Ending(
      name, ["Doorbell": bells], tasks: ["visitor": visitors],
      figures: ["leftEarly": 0, "stillWaiting": 0], on: DoorbellJudge.init
    ) { steps($0) + [$0.close] }
  }

  // A visitor comes, and then something happens.
  private func visit(
    early isEarly: Bool = false, then event: (Task<Void, Never>?) throws -> Void
  ) throws {
    var visitor: Task<Void, Never>?
    try lab.step(isEarly ? "a visitor comes, and is cancelled at once" : "a visitor waits") {
      guard let bell else { return }
      visitor = Task(probe: "visitor") { await bell.wait() }
      if isEarly { visitor?.cancel() }
    }
    if !isEarly { leftEarly += 1 - live }
    try event(visitor)
    stillWaiting += live
  }

  // A visitor is cancelled before waiting.
  private func comeEarly() throws { try visit(early: true) { _ in } }

  // A visitor waits until the bell rings.
  private func comeAndRing() throws { try visit { _ in try ring() } }

  // A visitor is cancelled while waiting.
  private func comeAndCancel() throws {
    try visit { visitor in try lab.release("the visitor is cancelled") { visitor?.cancel() } }
  }

  // The bell rings, and the visitor is cancelled before it goes on.
  private func ringAndCancel() throws {
    try visit { visitor in
      try lab.step("the bell rings, and the visitor is cancelled at once") {
        bell?.ring()
        visitor?.cancel()
      }
    }
  }

  // The visitor is cancelled, and the bell rings before it goes on.
  private func cancelAndRing() throws {
    try visit { visitor in
      try lab.step("the visitor is cancelled, and the bell rings at once") {
        visitor?.cancel()
        bell?.ring()
      }
    }
  }

  private func playAtTwoDoors() throws {
    try lab.step("another door gets a bell") { otherBell = Bell() }
    try playAtTwoDoors("the bell of the first door rings") { bell, _ in bell.ring() }
    try playAtTwoDoors("the visitor at the first door is cancelled") { $1.cancel() }
  }

  // After the event at the first door, the visitor at the second goes on waiting.
  private func playAtTwoDoors(_ text: String, _ event: (Bell, Task<Void, Never>) -> Void) throws {
    guard let bell, let otherBell else { return }
    var first: Task<Void, Never>?
    try lab.step("a visitor waits at each of two doors") {
      first = Task(probe: "visitor") { await otherBell.wait() }
      Task(probe: "visitor") { await bell.wait() }
    }
    leftEarly += max(0, 2 - visitors)
    try lab.step(text) { if let first { event(otherBell, first) } }
    leftEarly += max(0, 1 - visitors)
    stillWaiting += max(0, visitors - 1)
    try lab.step("the bell of the second door rings") { bell.ring() }
    stillWaiting += visitors
  }

  private func close() throws {
    lab.ledger.setMetrics(["leftEarly": leftEarly, "stillWaiting": stillWaiting])
    try drop()
  }

  private func drop() throws {
    try lab.release("the bell is dropped") { (bell, otherBell) = (nil, nil) }
  }

  // Most are cancelled before or after their way into the wait, and some in the middle. A machine that
  // is busy with other things is given up after a moment.
  private func race() throws {
    guard let bell else { return }
    let race = CancellationRace { await bell.wait() }
    try lab.step("many visitors come, each cancelled by another thread meanwhile") {
      lab.onThreads(2) { $0 == 0 ? race.comeAndWait() : race.cancel() }
    }
    try lab.step("all have left") {
      let isDone = race.isDone()
      lab.ledger.setMetric("overlooked", isDone ? 0 : 1)
      if !isDone { bell.ring() }
      _ = race.isDone()
    }
  }

  private var visitors: Int { lab.ledger.totals.task("visitor").live }
  private var live: Int { min(1, visitors) }

  private func ring() throws { try lab.step("the bell rings") { bell?.ring() } }
}
