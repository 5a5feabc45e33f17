package import MemlabKit

/// What the judge needs of a news desk.
package protocol NewsDeskUnderStudy: Actor {
  /// The number of readers that would receive an item.
  var readerCount: Int { get }
  /// A desk without readers.
  init()
  /// A stream for one more reader.
  func subscribe() -> AsyncStream<String>
  /// Sends an item to all readers.
  func publish(_ item: String)
}

/// Exercise 03: a desk and its readers.
package final class NewsDeskJudge<Desk: NewsDeskUnderStudy>: Audience<Desk, String>, Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("cancel", left: 1, received: 8) {
      try $0.cancel("B")
      try $0.publish(2)
    }
    ending("all", left: 0, received: 6) { for name in ["A", "B"] { try $0.cancel(name) } }
    ending("drop", left: 2, received: 6) { _ in }
    ending("late", left: 3, received: 12, readers: three) {
      try $0.subscribe("C")
      try $0.publish(2)
    }
    ending("again", left: 2, received: 10, readers: three) {
      try $0.cancel("A")
      try $0.subscribe("C")
      try $0.publish(2)
    }
    ending("slow", left: 3, received: 42, readers: three) {
      let gate = Gate()
      try $0.subscribe("C", readingAfter: gate)
      try $0.publish(12)
      try $0.lab.step("reader C begins to read") { gate.open() }
    }
    // A list that all desks share sends the items of one to the readers of the other.
    Ending(
      "desks", ["NewsDesk": 2], tasks: two,
      figures: ["received": 8, "onTheList": 2, "readersLeft": 0]
    ) { lab in
      let (one, other) = (NewsDeskJudge(lab), NewsDeskJudge(lab))
      for stage in [one, other] { try stage.create() }
      try one.subscribe("A")
      try other.subscribe("B")
      for stage in [one, other] { try stage.publish(3) }
      lab.ledger.setMetric("onTheList", try one.count() + other.count())
      try one.drop("the desk is dropped")
      try other.publish(2)
      try close([other, one])
    }
  }

  private static func ending(
    _ name: String, left: Int, received: Int, readers: KeyValuePairs<String, Int> = two,
    _ act: @escaping @Sendable (NewsDeskJudge) throws -> Void
  ) -> Ending {
    Ending(
      name, ["NewsDesk": 1], tasks: readers,
      figures: ["received": received, "onTheList": left, "readersLeft": 0]
    ) { lab in
      let stage = NewsDeskJudge(lab)
      try stage.create()
      for name in ["A", "B"] { try stage.subscribe(name) }
      try stage.publish(3)
      try act(stage)
      lab.ledger.setMetric("onTheList", try stage.count())
      try close([stage])
    }
  }

  private static var two: KeyValuePairs<String, Int> { ["reader A": 1, "reader B": 1] }

  private static var three: KeyValuePairs<String, Int> {
    ["reader A": 1, "reader B": 1, "reader C": 1]
  }

  private static func close(_ stages: [NewsDeskJudge]) throws {
    try close(stages, "the desk is dropped", received: "received", left: "readersLeft")
  }

  private func create() throws { try lab.step("a desk is created") { source = Desk() } }

  private func subscribe(_ name: String, readingAfter gate: Gate? = nil) throws {
    try listen("reader \(name)", "subscribes", after: gate) { await $0.subscribe() }
  }

  private func publish(_ count: Int) throws {
    try send(Secret.words(count), "\(count) items are published") { await $0.publish($1) }
  }

  private func cancel(_ name: String) throws {
    try leave(name == "A" ? 0 : 1, "reader \(name) is cancelled")
  }

  private func count() throws -> Int {
    try count("the readers on the list are counted") { await $0.readerCount }
  }
}
