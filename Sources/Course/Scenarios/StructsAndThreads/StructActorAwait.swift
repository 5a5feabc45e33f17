import MemlabKit

extension Scenario {
  /// `struct-actor-await`: an actor that waits in the middle.
  static let structActorAwait = Scenario(
    id: "struct-actor-await", title: "an actor that waits in the middle",
    document: .structsAndThreads, place: "a way out that it does not name",
    lesson: "06-a-struct-is-not-a-lock",
    question: "The actor's method now asks a server, and waits. Ten tasks call it. What is the "
      + "final value of the point?",
    hint: "What does an actor do while one of its calls waits?",
    beliefs: [.task("Ten tasks wait inside the actor's method.")],
    next: "async-let-inout-race", fixedBy: "struct-actor",
    endings: [
      Ending(
        "before", "the point is read before the wait, and written after it",
        expects: .owner(.race, lost: 9, finalX: 2),
        explanation: "While one call waits, the actor runs the next one. All ten have read (1, 1) "
          + "when the server answers. There is no data race, but nine updates are lost."
      ) { lab in try play(on: lab) { await $0.modify(after: $1) } }
      .claiming(
        "the increments meet, because the value of point is not thread-safe",
        original: "`point`의 값이 `thread-safe`하지 못하게 동시에 증가가 되는 경우가 생긴다"
      ) { $0.metric(.lostUpdates) > 0 }
      .asking(
        "The actor's method now asks a server between its read and its write. Ten tasks call it. "
          + "What is the final value of the point?"),
      Ending(
        "after", "the point is read and written after the wait",
        expects: .owner(.clean, lost: 0, finalX: 11),
        explanation: "The calls wait side by side as before. But there is no await between the "
          + "read and the write, so no other call can come between them."
      ) { lab in try play(on: lab) { await $0.modifyAtOnce(after: $1) } },
    ])

  private static func play(
    on lab: Lab, _ call: @escaping @Sendable (StructActorAwait.PointOwner, Gate) async -> Int
  ) throws {
    let (seen, server) = (Results(), Gate())
    @Variable("owner") var owner: StructActorAwait.PointOwner? = StructActorAwait.PointOwner()
    try lab.step("ten tasks call the actor", until: lab.ledger.noted("waiting", 10)) {
      let owner = owner
      for _ in 0..<10 {
        Task(probe: "writer") { if let owner { seen.add(await call(owner, server)) } }
      }
    }
    try lab.step("the server answers", until: lab.ledger.allTasksFinished) { server.open() }
    try lab.release("the actor is dropped") { owner = nil }
    seen.enter(into: lab)
  }
}

/// The actor of `struct-actor`, with a call to a server.
enum StructActorAwait: Notebook {
  /// The document's point.
  typealias Point = StructInoutRace.Point

  // snippet:code
  actor PointOwner {
    private var point = Point(x: 1, y: 1)
    private let probe = Probe(PointOwner.self)

    func modify(after server: Gate) async -> Int {
      var copy = point
      print("waiting")
      await server.opened()
      copy.update()
      point = copy
      return point.x
    }

    func modifyAtOnce(after server: Gate) async -> Int {
      print("waiting")
      await server.opened()
      point.update()
      return point.x
    }
  }
  // snippet:end
}
