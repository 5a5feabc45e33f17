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

extension Exercise {
  /// Exercise 03, judging this desk.
  package static func newsDesk<Desk: NewsDeskUnderStudy>(_ type: Desk.Type) -> Exercise {
    Exercise(
      number: "03",
      endings: [
        ending(type, "cancel", "the second of two readers is cancelled", left: 1, received: 8) {
          stage in
          try stage.cancel(["B"])
          try stage.publish(2)
        },
        ending(type, "all", "both readers are cancelled", left: 0, received: 6) { stage in
          try stage.cancel(["A", "B"])
        },
        ending(
          type, "drop", "the desk is dropped while both readers wait", left: 2, received: 6
        ) { _ in },
        ending(
          type, "late", "a third reader subscribes later", left: 3, received: 12, readers: three
        ) { stage in
          try stage.subscribe("reader C")
          try stage.publish(2)
        },
        ending(
          type, "again", "the first of two readers is cancelled, and a third subscribes", left: 2,
          received: 10, readers: three
        ) { stage in
          try stage.cancel(["A"])
          try stage.subscribe("reader C")
          try stage.publish(2)
        },
        ending(
          type, "slow", "a third reader begins to read when twelve items are there", left: 3,
          received: 42, readers: three
        ) { stage in
          let gate = Gate()
          try stage.subscribe("reader C", readingAfter: gate)
          try stage.publish(12)
          try stage.lab.step("reader C begins to read") { gate.open() }
        },
        twoDesks(type),
      ])
  }

  private static let three: KeyValuePairs = ["reader A": 1, "reader B": 1, "reader C": 1]

  private static func ending<Desk: NewsDeskUnderStudy>(
    _ type: Desk.Type, _ name: String, _ title: String, left: Int, received: Int,
    readers: KeyValuePairs<String, Int> = ["reader A": 1, "reader B": 1],
    _ act: @escaping @Sendable (NewsDeskStage<Desk>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: .solved(
        ["NewsDesk": 1], tasks: readers,
        ["received": received, "onTheList": left, "readersLeft": 0]),
      explanation: "The list holds only readers that still read, and no reader waits for a desk "
        + "that is gone."
    ) { lab in
      let stage = NewsDeskStage<Desk>(lab)
      try stage.open()
      try act(stage)
      lab.ledger.setMetric("onTheList", try stage.count())
      try stage.drop()
      stage.compare([stage])
    }
  }

  // A list that all desks share sends the items of one to the readers of the other.
  private static func twoDesks<Desk: NewsDeskUnderStudy>(_ type: Desk.Type) -> Ending {
    Ending(
      "desks", "two desks have a reader each, and the first is dropped",
      expects: .solved(
        ["NewsDesk": 2], tasks: ["reader A": 1, "reader B": 1],
        ["received": 8, "onTheList": 2, "readersLeft": 0]),
      explanation: "Each desk has readers of its own."
    ) { lab in
      let (one, other) = (NewsDeskStage<Desk>(lab), NewsDeskStage<Desk>(lab))
      for stage in [one, other] { try stage.create() }
      try one.subscribe("reader A")
      try other.subscribe("reader B")
      for stage in [one, other] { try stage.publish(3) }
      lab.ledger.setMetric("onTheList", try one.count() + other.count())
      try one.drop()
      try other.publish(2)
      try other.drop()
      one.compare([one, other])
    }
  }
}

/// A desk and readers that hold only their streams.
private final class NewsDeskStage<Desk: NewsDeskUnderStudy> {
  let lab: Lab
  private var readers: [Listener<String>] = []
  private var desk: Desk?

  init(_ lab: Lab) { self.lab = lab }

  func create() throws { try lab.step("a desk is created") { desk = Desk() } }

  func open() throws {
    try create()
    try subscribe("reader A")
    try subscribe("reader B")
    try publish(3)
  }

  func subscribe(_ name: String, readingAfter gate: Gate? = nil) throws {
    let reader = Listener<String>()
    readers.append(reader)
    try lab.step("\(name) subscribes") {
      guard let desk else { return }
      reader.listen(name, after: gate) { await desk.subscribe() }
    }
  }

  func publish(_ count: Int) throws {
    let items = Secret.words(count)
    for reader in readers where !reader.hasLeft { reader.expected += items }
    try lab.step("\(count) items are published") {
      tell { desk in for item in items { await desk.publish(item) } }
    }
  }

  func cancel(_ names: [String]) throws {
    for (name, reader) in zip(["A", "B"], readers) where names.contains(name) {
      reader.expectNoMore()
      try lab.release("reader \(name) is cancelled") { reader.leave() }
    }
  }

  func count() throws -> Int {
    let count = Seen<Int>()
    try lab.step("the readers on the list are counted") { tell { count.add(await $0.readerCount) } }
    return count.all.last ?? -1
  }

  func drop() throws { try lab.release("the desk is dropped") { desk = nil } }

  func compare(_ all: [NewsDeskStage]) {
    lab.ledger.setMetric("readersLeft", lab.ledger.totals.liveTasks)
    lab.ledger.setMetric("received", all.flatMap(\.readers).reduce(0) { $0 + $1.right })
  }

  private func tell(_ action: @escaping @Sendable (Desk) async -> Void) {
    guard let desk else { return }
    Task { await action(desk) }
  }
}
