import MemlabKit

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
      number: "03", title: "a news desk that forgets nobody",
      lesson: "03-one-stream-many-consumers", file: "03-news-desk/NewsDesk.swift",
      hint: "A stream calls its continuation's onTermination when it is over. From there a task "
        + "can call the actor, and that task must not hold the desk. For readers that still wait: "
        + "an actor can have a deinit, too.",
      figures: [
        "received": "is how often both readers together received the item.",
        "onTheList": "is the readerCount just before the desk is dropped.",
      ],
      endings: [
        ending(type, "cancel", "one of two readers is cancelled", left: 1) { stage in
          try stage.lab.release("reader A is cancelled") { stage.readers.first?.cancel() }
        },
        ending(type, "drop", "the desk is dropped while both readers wait", left: 2) { _ in },
      ])
  }

  private static func ending<Desk: NewsDeskUnderStudy>(
    _ type: Desk.Type, _ name: String, _ title: String, left: Int,
    _ act: @escaping @Sendable (NewsDeskStage<Desk>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: Declaration(
        .clean, objects: [ObjectCount("NewsDesk", created: 1, deinitialized: 1)],
        tasks: [
          TaskCount("reader A", started: 1, finished: 1),
          TaskCount("reader B", started: 1, finished: 1),
        ], metrics: ["received": 2, "onTheList": left]),
      explanation: "The list holds only readers that still read, and no reader waits for a desk "
        + "that is gone."
    ) { lab in
      let stage = NewsDeskStage<Desk>(lab)
      try stage.open()
      try act(stage)
      try stage.count()
      try stage.drop()
    }
  }
}

/// A desk and two readers that hold only their streams.
private final class NewsDeskStage<Desk: NewsDeskUnderStudy> {
  let lab: Lab
  private(set) var readers: [Task<Void, Never>] = []
  private var desk: Desk?

  init(_ lab: Lab) { self.lab = lab }

  func open() throws {
    try lab.step("a desk is created") { desk = Desk() }
    try lab.step("A and B subscribe") { readers = ["reader A", "reader B"].compactMap(subscribe) }
    try lab.step("an item is published") {
      tell { await $0.publish("rain") }
    }
    lab.ledger.setMetric("received", lab.ledger.notes(of: "received"))
  }

  func count() throws {
    try lab.step("the readers on the list are counted") {
      tell { Ledger.current?.setMetric("onTheList", await $0.readerCount) }
    }
  }

  func drop() throws {
    try lab.release("the desk is dropped") { desk = nil }
  }

  private func subscribe(_ name: String) -> Task<Void, Never>? {
    guard let desk else { return nil }
    let subscription = Task { await desk.subscribe() }
    return Task(probe: name) {
      for await _ in await subscription.value { Ledger.current?.note("received") }
    }
  }

  private func tell(_ action: @escaping @Sendable (Desk) async -> Void) {
    guard let desk else { return }
    Task { await action(desk) }
  }
}
